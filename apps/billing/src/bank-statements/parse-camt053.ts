import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { StatementLine, StatementPart } from './bank-line';
import { StatementSums } from './statement-sums';
import { centsOf, dateOf, plainText, unreadable } from './unreadable';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(0[1-9]|1\d)$/;
const MAX_DEPTH = 40;
const MAX_TEXT = 20_000;
/** Of one statement, entry or transaction, beside what stands in its parts. */
const MAX_VALUES = 2_000;
const MAX_TRANSACTIONS = 100_000;

/** What a statement, a balance, an entry or a transaction says, by path below it. */
interface Scope {
  readonly kind: 'Stmt' | 'Bal' | 'Ntry' | 'TxDtls';
  readonly depth: number;
  readonly values: Map<string, string[]>;
  /** Of an entry. */
  readonly transactions: Map<string, string[]>[];
}
const PARTS: readonly string[] = ['Stmt', 'Bal', 'Ntry', 'TxDtls'] satisfies Scope['kind'][];

/**
 * ISO 20022 camt.053, "bank to customer statement": every version so far, which differ in little of what is read here. Streamed: no more
 * than one entry is held. A document type, and with it every entity that somebody declares, is refused. Throws `validation`.
 */
export async function* parseCamt053(text: AsyncIterable<string>): AsyncIterable<StatementPart> {
  const reader = new CamtReader();
  for await (const chunk of text) {
    reader.write(chunk);
    yield* reader.parts.splice(0);
  }
  reader.close();
  yield* reader.parts.splice(0);
}

class CamtReader {
  readonly parts: StatementPart[] = [];
  private readonly xml = new SaxesParser({ xmlns: true });
  private readonly path: string[] = [];
  private readonly scopes: Scope[] = [];
  private text = '';
  private statement: { sums: StatementSums; balances: Map<string, { cents: number; date: string }> } | undefined;
  private statements = 0;

  constructor() {
    this.xml.on('doctype', () => {
      throw unreadable('a document type is refused');
    });
    this.xml.on('error', (error) => {
      throw unreadable(`not well-formed XML: ${plainText(error.message, 200)}`);
    });
    this.xml.on('opentag', (tag) => this.open(tag));
    this.xml.on('closetag', () => this.closeTag());
    this.xml.on('text', (text) => this.addText(text));
    this.xml.on('cdata', (text) => this.addText(text));
  }

  write(chunk: string): void {
    this.xml.write(chunk);
  }

  close(): void {
    this.xml.close();
    if (this.statements === 0) throw unreadable('there is no statement in it');
  }

  private addText(text: string): void {
    this.text += text;
    if (this.text.length > MAX_TEXT) throw unreadable('a text in it is too long');
  }

  private open({ local, uri, attributes }: SaxesTagNS): void {
    if (this.path.length === 0 && !NAMESPACE.test(uri)) throw unreadable('it is not camt.053');
    if (this.path.push(local) > MAX_DEPTH) throw unreadable('it is nested too deeply');
    this.text = '';
    if (PARTS.includes(local))
      this.scopes.push({
        kind: local as Scope['kind'],
        depth: this.path.length,
        values: new Map(),
        transactions: [],
      });
    const currency = attributes['Ccy']?.value;
    if (currency !== undefined) this.keep('@Ccy', currency);
  }

  private keep(suffix: string, value: string): void {
    const scope = this.scopes.at(-1);
    if (!scope || value === '') return;
    const key = this.path.slice(scope.depth).join('/') + suffix;
    const there = scope.values.get(key) ?? [];
    if (scope.values.size > MAX_VALUES || there.length > MAX_VALUES) throw unreadable('an entry of it says too much');
    scope.values.set(key, [...there, value]);
  }

  private closeTag(): void {
    const scope = this.scopes.at(-1);
    if (scope?.depth === this.path.length) {
      this.scopes.pop();
      this.finish(scope);
    } else this.keep('', this.text.trim());
    this.text = '';
    this.path.pop();
  }

  private finish({ kind, values, transactions }: Scope): void {
    const above = this.scopes.at(-1);
    if (kind === 'TxDtls' && above && above.transactions.push(values) > MAX_TRANSACTIONS)
      throw unreadable('an entry of it has too many transactions');
    if (kind === 'Bal' && above) this.balance(values, above.values);
    if (kind === 'Ntry' && above) this.entry(values, transactions, above.values);
    if (kind === 'Stmt') this.finishStatement(values);
  }

  private statementOf(values: Scope['values']) {
    const account = first(values, 'Acct/Id/IBAN') || first(values, 'Acct/Id/Othr/Id');
    if (account === '') throw unreadable('a statement names no account');
    return (this.statement ??= { sums: new StatementSums(account), balances: new Map() });
  }

  private balance(values: Scope['values'], above: Scope['values']): void {
    const code = first(values, 'Tp/CdOrPrtry/Cd');
    const { balances } = this.statementOf(above);
    const cents = signed(values, first(values, 'Amt'), 'Bal');
    const day = first(values, 'Dt/Dt') || first(values, 'Dt/DtTm');
    const at = { cents, date: dayOf(day, 'Bal/Dt') };
    // Of a statement on several pages the first opening and the last closing balance count.
    if (code === 'CLBD' || !balances.has(code)) balances.set(code, at);
  }

  private entry(values: Scope['values'], transactions: Scope['transactions'], above: Scope['values']): void {
    const status = first(values, 'Sts') || first(values, 'Sts/Cd');
    // What is pending is told again once it is booked.
    if (status !== 'BOOK') return;
    const { sums } = this.statementOf(above);
    for (const line of linesOfEntry(sums.account, values, transactions)) {
      sums.add(line);
      this.parts.push({ kind: 'line', line });
    }
  }

  private finishStatement(values: Scope['values']): void {
    const { sums, balances } = this.statementOf(values);
    const opening = balances.get('OPBD') ?? balances.get('PRCD');
    const closing = balances.get('CLBD');
    const statement = sums.head({
      number: plainText(first(values, 'Id'), 100),
      date: closing?.date ?? opening?.date ?? dayOf(first(values, 'CreDtTm'), 'CreDtTm'),
      ...(opening && { openingCents: opening.cents }),
      ...(closing && { closingCents: closing.cents }),
    });
    this.parts.push({ kind: 'statement', statement });
    this.statement = undefined;
    this.statements += 1;
  }
}

const first = (values: Scope['values'], ...paths: string[]): string => {
  for (const path of paths) {
    const [value] = values.get(path) ?? [];
    if (value !== undefined) return value;
  }
  return '';
};

const dayOf = (text: string, where: string): string => {
  const [year = '', month = '', day = ''] = text.slice(0, 10).split('-');
  return dateOf(year, month, day, where);
};

function signed(values: Scope['values'], amount: string, where: string): number {
  const cents = centsOf(amount, '.', where);
  return first(values, 'CdtDbtInd') === 'DBIT' ? -cents : cents;
}

/** One line an entry; of a batch one a transaction, where their amounts are said and add up. */
function linesOfEntry(account: string, entry: Scope['values'], transactions: Scope['transactions']): StatementLine[] {
  const total = signed(entry, first(entry, 'Amt'), 'Ntry/Amt');
  const isReversal = first(entry, 'RvslInd') === 'true' || first(entry, 'RvslInd') === '1';
  const bookedOn = dayOf(first(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'), 'BookgDt');
  const reference = first(entry, 'AcctSvcrRef', 'NtryRef');
  const shared = { account, bookedOn, currency: first(entry, 'Amt@Ccy') || 'EUR', entry };
  const special = isReversal ? ({ special: 'reversal' } as const) : {};
  if (transactions.length <= 1) {
    const [only = new Map<string, string[]>()] = transactions;
    return [{ ...lineOf(shared, only, total, reference), ...special, ...(isReturn(only) && { special: 'reversal' }) }];
  }
  const sign = total < 0 ? -1 : 1;
  const amounts = transactions.map((each) => first(each, 'Amt', 'AmtDtls/TxAmt/Amt'));
  const known = amounts.every((each) => each !== '') ? amounts.map((each) => sign * centsOf(each, '.', 'TxDtls')) : [];
  if (known.reduce((sum, cents) => sum + cents, 0) !== total) {
    const texts = transactions.map((each) => textOf(each)).join(' / ');
    const line = lineOf(shared, new Map(), total, reference);
    return [{ ...line, text: plainText(texts), special: isReversal ? 'reversal' : 'batch' }];
  }
  return transactions.map((each, index) => ({
    ...lineOf(
      shared,
      each,
      known[index]!,
      first(each, 'Refs/AcctSvcrRef') || (reference && `${reference}/${index + 1}`),
    ),
    ...special,
    ...(isReturn(each) && { special: 'reversal' }),
  }));
}

const isReturn = (transaction: Scope['values']): boolean =>
  [...transaction.keys()].some((key) => key.startsWith('RtrInf/'));

const textOf = (transaction: Scope['values']): string => (transaction.get('RmtInf/Ustrd') ?? []).join(' ');

function lineOf(
  {
    account,
    bookedOn,
    currency,
    entry,
  }: { account: string; bookedOn: string; currency: string; entry: Scope['values'] },
  transaction: Scope['values'],
  amountCents: number,
  reference: string,
): StatementLine {
  const other = amountCents < 0 ? 'Cdtr' : 'Dbtr';
  const endToEndId = first(transaction, 'Refs/EndToEndId');
  return {
    account,
    bookedOn,
    amountCents,
    currency,
    counterName: plainText(first(transaction, `RltdPties/${other}/Nm`, `RltdPties/${other}/Pty/Nm`), 140),
    counterIban: plainText(first(transaction, `RltdPties/${other}Acct/Id/IBAN`), 34),
    bankReference: plainText(reference, 100),
    endToEndId: endToEndId === 'NOTPROVIDED' ? '' : plainText(endToEndId, 100),
    creditorReference: plainText(first(transaction, 'RmtInf/Strd/CdtrRefInf/Ref'), 100),
    text: plainText(textOf(transaction) || first(transaction, 'AddtlTxInf') || first(entry, 'AddtlNtryInf')),
  };
}
