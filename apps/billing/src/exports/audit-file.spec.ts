import { createHash } from 'node:crypto';
import { auditFile, type AuditFileVersion } from './audit-file';
import type { Books } from './export-ports';
import { journalsOf } from './bookings';
import { booksInMemory } from './testing/books-in-memory';
import { madeUpBooks, SELLER, type MadeUp } from './testing/made-up-books';

const YEAR = { from: '2026-01-01', to: '2026-12-31' };
const HEAD = { ...YEAR, seller: SELLER, createdOn: '2027-01-15' };

async function written(version: AuditFileVersion, all: readonly MadeUp[], head = HEAD): Promise<string> {
  let text = '';
  const journals = journalsOf(booksInMemory(all, YEAR), 'o', YEAR, new Date());
  for await (const part of auditFile(version, head, journals, () => undefined)) text += part;
  return text;
}

const all = [...madeUpBooks({ organizationId: 'o', documents: 300 })];
const amounts = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((sum, [, euros]) => sum + Math.round(Number(euros) * 100), 0);

describe.each(['3.2', '4.0'] as const)('version %s', (version) => {
  test('each transaction balances, and what is declared is what is written', async () => {
    const text = await written(version, all);
    const transactions = [...text.matchAll(/<transaction>[\s\S]*?<\/transaction>/g)].map(([each]) => each);
    expect(transactions.length).toBeGreaterThan(500);
    const [D, C] = [/<amnt>(.*)<\/amnt>\s*<amntTp>D</g, /<amnt>(.*)<\/amnt>\s*<amntTp>C</g];
    for (const each of transactions) expect(amounts(each, D)).toBe(amounts(each, C));
    const declared = /<linesCount>(.*)<\/linesCount>\s*<totalDebit>(.*)<\/totalDebit>\s*<totalCredit>(.*)</.exec(text);
    expect(Number(declared?.[1])).toBe([...text.matchAll(/<trLine>/g)].length);
    expect(Math.round(Number(declared?.[2]) * 100)).toBe(amounts(text, D));
    expect(declared?.[2]).toBe(declared?.[3]);
  });

  test('revenue and VAT are those of the documents', async () => {
    const text = await written(version, all);
    const net = (accounts: string): number => {
      const line = (side: string) =>
        new RegExp(`<accID>(?:${accounts})</accID>[^]*?<amnt>(.*)</amnt>\\s*<amntTp>${side}<`, 'g');
      const lines = [...text.matchAll(/<trLine>[\s\S]*?<\/trLine>/g)].map(([each]) => each);
      return lines.reduce((sum, each) => sum + amounts(each, line('C')) - amounts(each, line('D')), 0);
    };
    const sum = (field: 'exclCents' | 'vatCents'): number =>
      all.reduce((total, { document: { kind, totals } }) => total + (kind === 'invoice' ? 1 : -1) * totals[field], 0);
    expect(net('80\\d0')).toBe(sum('exclCents'));
    expect(net('15\\d0')).toBe(sum('vatCents'));
  });

  test('every customer and account that a line names is declared, once, with an id that the schema takes', async () => {
    const text = await written(version, all);
    const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, each = '']) => each);
    const customers = found(/<customerSupplier>\s*<custSupID>(.*)</g);
    expect(new Set(customers).size).toBe(customers.length);
    const head = text.slice(0, text.indexOf('<transactions>'));
    for (const name of ['custSupID', 'accID'])
      for (const each of new Set(found(new RegExp(`<${name}>(.*)<`, 'g')))) {
        expect(head).toContain(`<${name}>${each}</${name}>`);
        expect(each.length).toBeLessThanOrEqual(35);
      }
  });

  test('twice the same bytes', async () => {
    const hashOf = async () =>
      createHash('sha256')
        .update(await written(version, all))
        .digest('hex');
    expect(await hashOf()).toBe(await hashOf());
  });

  test('nothing was sold: a file all the same', async () => {
    const text = await written(version, []);
    expect(text).toContain('<linesCount>0</linesCount>');
    expect(text).not.toContain('customersSuppliers');
  });
});

test('names with signs of XML are escaped', async () => {
  const text = await written('4.0', all);
  expect(text).toContain('Bouwbedrijf &lt;Van Dam&gt;');
  expect(text).toContain('’t Zilt &amp; Zoet');
});

test('a file of books that change while it is written is never finished', async () => {
  let reads = 0;
  const books = booksInMemory(all, YEAR);
  const growing: Books = {
    ...books,
    documents: async function* () {
      yield* (reads++ === 0 ? all.slice(0, 10) : all).map(({ document }) => document);
    },
  };
  const drain = async (): Promise<void> => {
    const journals = journalsOf(growing, 'o', YEAR, new Date());
    for await (const _ of auditFile('4.0', HEAD, journals, () => undefined));
  };
  await expect(drain()).rejects.toMatchObject({ code: 'unavailable' });
});

test('days in two years: periods are numbered from 1 on', async () => {
  const head = { ...HEAD, from: '2025-11-15', to: '2026-12-31' };
  const text = await written('4.0', all, head);
  expect(text).toContain('<fiscalYear>2025-2026</fiscalYear>');
  expect(
    [...text.matchAll(/<periodNumber>(\d+)<\/periodNumber>\s*<startDatePeriod>/g)].map(([, nr]) => Number(nr)),
  ).toEqual(Array.from({ length: 14 }, (_, index) => index + 1));
  expect(text).toContain('<startDatePeriod>2025-11-15</startDatePeriod>');
});
