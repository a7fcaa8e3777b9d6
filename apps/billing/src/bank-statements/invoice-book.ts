import { nameWords } from './payer-name';

/** An issued document as a payer may name it. */
export interface BookInvoice {
  readonly invoiceId: string;
  readonly number: string;
  readonly customerId: string;
  /** 0 when nothing is: it may be named all the same. */
  readonly openCents: number;
  /** Who it is addressed to; a person, a company or both. */
  readonly names: readonly string[];
  /** The buyer's, as frozen; empty when unknown. */
  readonly iban: string;
}

/** One of them in the book: what is open on it changes as lines are booked. */
export interface BookEntry {
  readonly invoiceId: string;
  readonly number: string;
  readonly customerId: string;
  /** Letters and digits of the number. */
  readonly plain: string;
  /** Words of each name. */
  readonly names: readonly (readonly string[])[];
  openCents: number;
}

/** What a text names. */
export interface Named {
  readonly byReference: ReadonlySet<BookEntry>;
  readonly byNumber: ReadonlySet<BookEntry>;
}

/** A shorter number stands in many texts by chance. */
const MIN_NUMBER = 5;
/** A number in pieces, as "2026 00 01"; longer than any. */
const MAX_PIECES = 8;
const MAX_LENGTH = 40;
/** What people write straight before a number, without a space. */
const PREFIX =
  /^(FACTUURNUMMER|FACTUURNR|FACTUUR|FACTNR|FACT|FAC|INVOICENUMBER|INVOICE|INV|RECHNUNG|RECHNR|RG|RE|FACTURE|KENMERK|KLANTNR|NR|NO|BETREFT)(?=\d)/;

/** Numbers as they are compared: upper case, letters and digits only. */
export const plainNumber = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The issued documents of an organisation and who pays them, by everything that a bank line may say. Nothing of it is I/O. */
export class InvoiceBook {
  private readonly byId = new Map<string, BookEntry>();
  private readonly byPlain = new Map<string, BookEntry[]>();
  private readonly byOpen = new Map<number, Set<BookEntry>>();
  private readonly byCustomer = new Map<string, Set<BookEntry>>();
  private readonly byWord = new Map<string, Set<BookEntry>>();
  private readonly payers = new Map<string, Set<string>>();

  add({ invoiceId, number, customerId, openCents, names, iban }: BookInvoice): void {
    // Of what is settled only its number matters.
    const words = openCents > 0 ? names.filter(Boolean).map(nameWords) : [];
    const entry = { invoiceId, number, customerId, plain: plainNumber(number), names: words, openCents };
    this.byId.set(invoiceId, entry);
    if (entry.plain.length >= MIN_NUMBER)
      this.byPlain.set(entry.plain, [...(this.byPlain.get(entry.plain) ?? []), entry]);
    if (iban !== '') this.knowPayer(iban, customerId);
    if (openCents === 0) return;
    include(this.byOpen, openCents, entry);
    include(this.byCustomer, customerId, entry);
    for (const word of new Set(words.flat())) include(this.byWord, word, entry);
  }

  /** Money from this IBAN was for this customer. */
  knowPayer(iban: string, customerId: string): void {
    include(this.payers, iban, customerId);
  }

  /** Customers that this IBAN paid for. */
  payersOf(iban: string): ReadonlySet<string> {
    return (iban !== '' && this.payers.get(iban)) || new Set();
  }

  /** So much is open on it from now on. */
  setOpen(invoiceId: string, openCents: number): void {
    const entry = this.byId.get(invoiceId);
    if (!entry || entry.openCents === openCents) return;
    this.byOpen.get(entry.openCents)?.delete(entry);
    entry.openCents = openCents;
    if (openCents > 0) include(this.byOpen, openCents, entry);
  }

  find(invoiceId: string): BookEntry | undefined {
    return this.byId.get(invoiceId);
  }

  withOpen(cents: number): Iterable<BookEntry> {
    return this.byOpen.get(cents) ?? [];
  }

  ofCustomer(customerId: string): Iterable<BookEntry> {
    return this.byCustomer.get(customerId) ?? [];
  }

  /** Those that share a telling word with a name, by the rarest first. */
  *withWordOf(words: readonly string[]): Iterable<BookEntry> {
    const found = words.filter(({ length }) => length > 2).flatMap((word) => this.byWord.get(word) ?? []);
    for (const entries of found.sort((a, b) => a.size - b.size)) yield* entries;
  }

  /** The documents that these texts name: by a number of ours that stands alone in one, in pieces or not, or by its RF reference. */
  named(texts: readonly string[]): Named {
    const byReference = new Set<BookEntry>();
    const byNumber = new Set<BookEntry>();
    for (const text of texts) this.findIn(text, byReference, byNumber);
    return { byReference, byNumber };
  }

  private findIn(text: string, byReference: Set<BookEntry>, byNumber: Set<BookEntry>): void {
    const pieces = text
      .toUpperCase()
      .split(/[^A-Z0-9]+/)
      .filter(Boolean);
    for (let at = 0; at < pieces.length;) {
      // The longest that fits is meant: F-2026-0001 is not 2026-0001.
      let taken = 0;
      let joined = '';
      let found: readonly BookEntry[] = [];
      let into = byNumber;
      for (let count = 1; count <= MAX_PIECES && at + count <= pieces.length; count++) {
        joined += pieces[at + count - 1];
        if (joined.length > MAX_LENGTH) break;
        const referenced = isRfReference(joined) ? this.byPlain.get(joined.slice(4)) : undefined;
        const numbered = this.byPlain.get(joined) ?? this.byPlain.get(joined.replace(PREFIX, ''));
        const entries = referenced ?? numbered?.filter((entry) => !isDay(entry) || isLiteral(entry, text));
        if (entries?.length) [found, taken, into] = [entries, count, referenced ? byReference : byNumber];
      }
      for (const entry of found) into.add(entry);
      at += Math.max(taken, 1);
    }
  }
}

/** 20261102 may be the second of November: a number like it counts only as it is written on the invoice. */
const isDay = ({ plain }: BookEntry): boolean => /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(plain);

const isLiteral = ({ number }: BookEntry, text: string): boolean => text.toUpperCase().includes(number.toUpperCase());

function include<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const there = map.get(key);
  if (there) there.add(value);
  else map.set(key, new Set([value]));
}

/** ISO 11649: RF, two check digits and at most 21 letters and digits; modulo 97 of it, rearranged, is 1. */
export function isRfReference(text: string): boolean {
  if (!/^RF\d\d[A-Z0-9]{1,21}$/.test(text)) return false;
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The RF reference of a number. */
export function rfReference(number: string): string {
  const plain = plainNumber(number);
  for (let check = 2; check <= 98; check++) {
    const text = `RF${String(check).padStart(2, '0')}${plain}`;
    if (isRfReference(text)) return text;
  }
  throw new RangeError(`${number} is too long for a reference`);
}
