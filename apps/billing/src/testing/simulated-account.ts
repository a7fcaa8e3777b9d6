import { AppError } from '@invoicing/errors';
import type { AccountPorts } from '../billing-ports';
import type { ProviderRefund, RefundOutcome } from '../account/account-ports';
import type { CreditApplied, Entry, RefundEntry } from '../account/entry';
import type { Mail } from '../invoices/invoice-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { Organization } from '../organizations/organization';
import { benchInvoice } from './numbering-methods';

/** How a known-bad variant of the real thing misbehaves: the simulation must notice each. */
export type AccountSabotage =
  | 'none'
  /** Two writers may take the same place. */
  | 'shared_places'
  /** Nobody goes on with a refund whose writer ended. */
  | 'no_follow_up'
  /** The provider does not know a refund again that it made. */
  | 'refunds_anew'
  /** The credit notes are read before the entries, at the read before. */
  | 'old_credits';

export interface SimulatedMovement {
  readonly id: string;
  readonly kind: 'refund' | 'chargeback';
  readonly cents: number;
  readonly entryId: string | null;
  undone: boolean;
}

/** A payment as its provider has it, which the account is compared with. */
export interface SimulatedPayment {
  readonly id: string;
  readonly invoiceId: string;
  readonly cents: number;
  readonly movements: SimulatedMovement[];
}

export const ORGANIZATION = 'organization';
const T0 = Date.parse('2026-03-02T10:00:00Z');

/** What outlives every process: the store, the provider. Each keeps the promises that the real one makes, and no more. */
export class SimulatedBooks {
  time = T0;
  readonly entries: (Entry & { dueAt?: Date | undefined })[] = [];
  readonly invoices = new Map<string, IssuedInvoice>();
  readonly payments = new Map<string, SimulatedPayment>();
  private serial = 0;

  constructor(private readonly sabotage: AccountSabotage) {}

  addInvoice(id: string, changes: Partial<IssuedInvoice> = {}): void {
    const totals = {
      exclCents: 10_000,
      vatCents: 2_100,
      inclCents: 12_100,
      groups: [{ vatTreatment: 'standard_21' as const, rateBps: 2_100, baseCents: 10_000, vatCents: 2_100 }],
    };
    const line = { description: 'Werk', quantity: '10', unitPriceCents: 1_000, vatTreatment: 'standard_21' as const };
    const lines = [{ ...line, productId: null, netCents: 10_000, unit: '' }];
    const place = { number: id, series: 'p/invoice/2026', seq: this.invoices.size + 1, previousHash: '', hash: '' };
    const createdAt = new Date(this.time);
    const whose = { organizationId: ORGANIZATION, customerId: 'customer', createdAt, issuedAt: createdAt };
    this.invoices.set(id, { ...benchInvoice(), ...place, ...whose, _id: id, lines, totals, ...changes });
  }

  creditsOf(invoiceId: string): CreditApplied[] {
    return [...this.invoices.values()]
      .filter(({ credited }) => credited?.invoiceId === invoiceId)
      .map((note) => ({
        ...{ noteId: note._id, invoiceId, number: note.number, ordinal: note.creditOrdinal ?? 0 },
        ...{ amountCents: note.totals.inclCents, date: note.issueDate, at: note.issuedAt, reason: note.reason },
      }))
      .sort((a, b) => a.ordinal - b.ordinal);
  }

  /**
   * The books as one process sees them. `step` is waited for before and after every effect: there the process may be interleaved with
   * others, or die for good. `loses` decides whether the answer to an effect is lost.
   */
  ports(step: () => Promise<void>, loses: () => boolean): AccountPorts {
    const acted = async <T>(effect: () => T): Promise<T> => {
      await step();
      const answer = structuredClone(effect());
      await step();
      if (loses()) throw new AppError('unavailable', 'unavailable', 'the answer was lost');
      return answer;
    };
    // As they were when this process looked last.
    let older: CreditApplied[] = [];
    let newer: CreditApplied[] = [];
    return {
      now: () => new Date(this.time),
      newId: () => `id-${this.serial++}`,
      newToken: () => `token-${this.serial++}`,
      publicUrl: 'https://pay.example',
      onError: () => undefined,
      mail: { sendInvoice: () => Promise.resolve({ emailed: true, emailError: '' }) } as unknown as Mail,
      // Both parties are Dutch.
      peppol: { begin: () => Promise.reject(new Error('not simulated')) },
      documents: {} as unknown as AccountPorts['documents'],
      organizations: {
        find: () => Promise.resolve(SELLER),
        openSeries: () => Promise.resolve(SELLER),
      } as unknown as AccountPorts['organizations'],
      invoices: {
        find: (_organization: string, id: string) => acted(() => this.invoices.get(id) ?? null),
        creditNotesOf: (_organization: string, invoiceId: string) =>
          acted(() => this.creditsOf(invoiceId).map(({ noteId }) => this.invoices.get(noteId)!)),
        creditsOf: (_organization: string, [invoiceId = '']: readonly string[]) =>
          this.sabotage === 'old_credits' ? Promise.resolve(older) : acted(() => this.creditsOf(invoiceId)),
      } as unknown as AccountPorts['invoices'],
      accounts: {
        entriesOf: ({ _id }) => {
          [older, newer] = [newer, this.creditsOf(_id)];
          return acted(() => this.entries.filter(({ invoiceId }) => invoiceId === _id).sort(byPlace));
        },
        moneySince: () => Promise.reject(new Error('not simulated')),
        factsAmong: () => Promise.reject(new Error('not simulated')),
        organizationOf: () => Promise.reject(new Error('not simulated')),
        find: (_organization, entryId) => acted(() => this.entries.find(({ _id }) => _id === entryId) ?? null),
        insert: (_invoice, entry, _after, dueAt) => acted(() => this.insert(entry, dueAt)),
        claimDue: (now, leaseUntil) => acted(() => this.claimDue(now, leaseUntil)),
        followedUp: (_organization, entryId) => acted(() => void this.change(entryId, undefined)),
        postpone: (_organization, entryId, dueAt) => acted(() => void this.change(entryId, dueAt)),
      },
      numbering: () => ({
        issue: (_series, id, seal) => acted(() => this.issue(id, seal)),
        next: () => Promise.reject(new Error('not simulated')),
      }),
      cashier: { refund: (asked) => acted(() => this.refund(asked)) },
    };
  }

  private insert(entry: Entry, dueAt: Date | undefined): boolean {
    const isThere = this.entries.some(({ _id }) => _id === entry._id);
    const isTaken = this.entries.some((each) => each.invoiceId === entry.invoiceId && each.ordinal === entry.ordinal);
    if (isThere || (isTaken && this.sabotage !== 'shared_places')) return false;
    const isKept = dueAt && this.sabotage !== 'no_follow_up';
    this.entries.push({ ...entry, ...(isKept && { dueAt }) });
    return true;
  }

  private claimDue(now: Date, leaseUntil: Date): RefundEntry | null {
    const due = this.entries.find(({ dueAt }) => dueAt && dueAt <= now);
    if (!due) return null;
    due.dueAt = leaseUntil;
    return due as RefundEntry;
  }

  private change(entryId: string, dueAt: Date | undefined): void {
    const entry = this.entries.find(({ _id }) => _id === entryId);
    if (entry?.dueAt) entry.dueAt = dueAt;
  }

  private issue(id: string, seal: (place: { seq: number; previousHash: string }) => IssuedInvoice): IssuedInvoice {
    const found = this.invoices.get(id);
    if (found) return found;
    const note = seal({ seq: this.invoices.size + 1, previousHash: '' });
    const isTaken = this.creditsOf(note.credited?.invoiceId ?? '').some(
      ({ ordinal }) => ordinal === note.creditOrdinal,
    );
    if (isTaken) throw new AppError('conflict', 'conflict', 'the invoice was credited at the same time');
    this.invoices.set(id, note);
    return note;
  }

  /** As checkout and the provider behind it: once for each entry, and never more than is left of the payment. */
  private refund({ paymentId, entryId, amountCents }: ProviderRefund): RefundOutcome {
    const payment = this.payments.get(paymentId);
    if (!payment) return { refused: 'no such payment' };
    const made = payment.movements.find((each) => each.entryId === entryId && this.sabotage !== 'refunds_anew');
    if (made) return { providerId: made.id };
    if (amountCents > payment.cents - standing(payment)) return { refused: 'more than is left' };
    return { providerId: this.move(payment, 'refund', amountCents, entryId).id };
  }

  move(payment: SimulatedPayment, kind: 'refund' | 'chargeback', cents: number, entryId: string | null) {
    const movement = { id: `${payment.id}-${this.serial++}`, kind, cents, entryId, undone: false };
    payment.movements.push(movement);
    return movement;
  }
}

/** What went back of a payment and did not come again. */
export const standing = ({ movements }: SimulatedPayment): number =>
  movements.reduce((sum, { cents, undone }) => (undone ? sum : sum + cents), 0);

const byPlace = (a: Entry, b: Entry): number => a.ordinal - b.ordinal;

const SELLER = {
  _id: ORGANIZATION,
  details: { timezone: 'Europe/Amsterdam' },
  profiles: [{ id: 'bench', numberFormat: '{YYYY}-{SEQ:4}' }],
  mode: 'test',
} as unknown as Organization;
