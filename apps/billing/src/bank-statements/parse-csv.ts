import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse, CsvError } from 'csv-parse';
import type { StatementLine, StatementPart } from './bank-line';
import { CSV_MAPPINGS, type CsvMapping } from './csv-mappings';
import { describeMovement } from './describe-movement';
import { StatementSums } from './statement-sums';
import { centsOf, dateOf, plainText, unreadable } from './unreadable';

const MAX_RECORD = 100_000;
/** Banks put at most a title before the header. */
const HEADER_WITHIN = 5;
const UNKNOWN = 'it is no statement of a bank that is known here';

/**
 * The CSV of a bank that `CSV_MAPPINGS` describes, known by its header; one statement for each account in it, told at the end. Throws
 * `validation`.
 */
export async function* parseCsv(text: AsyncIterable<string>, start: string): AsyncIterable<StatementPart> {
  const delimiter = delimiterOf(start);
  const parser = parse({
    ...{ delimiter, bom: true, trim: true, skip_empty_lines: true, relax_column_count: true },
    ...{ max_record_size: MAX_RECORD, quote: delimiter === '\t' ? null : '"' },
  });
  const read = pipeline(Readable.from(text), parser);
  // It ends the loop below, where it is thrown on.
  read.catch(() => undefined);
  const statements = new Map<string, StatementSums>();
  let row: ((record: readonly string[], at: number) => StatementLine) | undefined;
  let at = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      at += 1;
      if (!row) {
        const mapping = mappingOf(record, delimiter);
        if (mapping) row = rowReader(mapping, record);
        else if (at >= HEADER_WITHIN) throw unreadable(UNKNOWN);
        // Where there is no header the first record is a line.
        if (mapping && !isHeaderless(mapping)) continue;
        if (!mapping) continue;
      }
      const line = row!(record, at);
      const sums = statements.get(line.account) ?? new StatementSums(line.account);
      statements.set(line.account, sums);
      sums.add(line);
      yield { kind: 'line', line };
    }
    await read;
  } catch (error) {
    if (error instanceof CsvError)
      throw unreadable(row ? `record ${at + 1}: ${plainText(error.message, 200)}` : UNKNOWN);
    throw error;
  }
  if (!row) throw unreadable(UNKNOWN);
  for (const sums of statements.values()) yield { kind: 'statement', statement: sums.head() };
}

/** What separates the columns in its first lines. */
function delimiterOf(start: string): string {
  const counts = ['\t', ';', ','].map((each) => ({ each, count: start.split(each).length }));
  if (/^"?[A-Z0-9]+"?\t/.test(start)) return '\t';
  const [, semicolon, comma] = counts;
  return semicolon!.count >= comma!.count ? ';' : ',';
}

const isHeaderless = ({ columns }: CsvMapping): boolean => typeof columns.account === 'number';

const columnsOf = ({ columns: { text, ...columns } }: CsvMapping): (string | number)[] => [
  ...Object.values(columns),
  ...text,
];

const mappingOf = (record: readonly string[], delimiter: string): CsvMapping | undefined =>
  CSV_MAPPINGS.find((mapping) =>
    isHeaderless(mapping)
      ? delimiter === '\t' && record.length >= 8 && /^\d{8}$/.test(record[2] ?? '')
      : columnsOf(mapping).every(
          (name) => record.includes(name as string) || mapping.optional?.includes(name as string),
        ),
  );

function rowReader(mapping: CsvMapping, header: readonly string[]) {
  const { columns, decimal, out, described } = mapping;
  const places = new Map(
    columnsOf(mapping).map((name) => [name, typeof name === 'number' ? name : header.indexOf(name)]),
  );
  return (record: readonly string[], at: number): StatementLine => {
    const cell = (name: string | number | undefined): string =>
      name === undefined ? '' : (record[places.get(name)!] ?? '');
    const where = `record ${at}`;
    const cents = centsOf(cell(columns.amount), decimal, where);
    const balance = cell(columns.balance);
    const text = columns.text.map(cell).join(' ');
    const { isReturn, ...said } = described ? describeMovement(text) : { ...NOTHING, text: plainText(text) };
    return {
      account: accountOf(cell(columns.account), where),
      bookedOn: dayOf(cell(columns.date), mapping.date, where),
      amountCents: out !== undefined && cell(columns.direction) === out ? -cents : cents,
      currency: cell(columns.currency) || 'EUR',
      ...said,
      counterName: plainText(cell(columns.name), 140) || said.counterName,
      counterIban: plainText(cell(columns.iban).replace(/\s/g, ''), 34) || said.counterIban,
      bankReference: plainText(cell(columns.reference), 100),
      endToEndId: plainText(cell(columns.endToEndId), 100) || said.endToEndId,
      creditorReference: plainText(cell(columns.creditorReference), 100) || said.creditorReference,
      ...((isReturn || cell(columns.returned) !== '') && { special: 'reversal' }),
      ...(balance !== '' && { balanceCents: centsOf(balance, decimal, where) }),
    };
  };
}

const NOTHING = { counterName: '', counterIban: '', endToEndId: '', creditorReference: '', isReturn: false };

function dayOf(text: string, format: CsvMapping['date'], where: string): string {
  const parts = format === 'YYYYMMDD' ? [text.slice(0, 4), text.slice(4, 6), text.slice(6)] : text.split('-');
  const [year = '', month = '', day = ''] = format === 'DD-MM-YYYY' ? parts.reverse() : parts;
  return dateOf(year, month, day, where);
}

/** ABN AMRO's own exports have the number without the rest of the IBAN: the check digits follow from it. */
function accountOf(text: string, where: string): string {
  const account = text.replace(/\s/g, '').toUpperCase();
  if (/^\d{9,10}$/.test(account)) {
    const bban = `ABNA${account.padStart(10, '0')}`;
    const digits = [...`${bban}NL00`].map((each) => parseInt(each, 36)).join('');
    return `NL${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
  }
  if (!/^[A-Z0-9]{5,34}$/.test(account)) throw unreadable(`${where}: "${plainText(text, 40)}" is not an account`);
  return account;
}
