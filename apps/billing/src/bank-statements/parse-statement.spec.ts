import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { StatementHead, StatementLine } from './bank-line';
import { parseStatement } from './parse-statement';

const FOLDER = join(__dirname, '../testing/statements');
const fileOf = (name: string): Buffer => readFileSync(join(FOLDER, name));

async function* inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function parsed(bytes: Uint8Array | string, size = 65_536) {
  const lines: StatementLine[] = [];
  const statements: StatementHead[] = [];
  for await (const part of parseStatement(inPieces(Buffer.from(bytes), size)))
    if (part.kind === 'line') lines.push(part.line);
    else statements.push(part.statement);
  return { lines, statements };
}

const FORMATS = ['camt053-v02.xml', 'camt053-v08.xml', 'abnamro.mt940', 'ing.mt940', 'rabobank.mt940'];
const TABLES = ['ing.csv', 'rabobank.csv', 'abnamro.tab', 'knab.csv', 'bunq.csv'];

test.each([...FORMATS, ...TABLES])('%s: who paid how much for what', async (name) => {
  const { lines, statements } = await parsed(fileOf(name));
  const byAmount = (cents: number) => lines.find(({ amountCents }) => amountCents === cents)!;
  expect(byAmount(12_100)).toMatchObject({
    ...{
      bookedOn: '2026-11-02',
      currency: 'EUR',
      counterName: 'S. de Wit',
      counterIban: expect.stringMatching(/^NL\d\dINGB/),
    },
    ...{ text: 'Factuur 2026-0001', endToEndId: '' },
  });
  const zon = byAmount(6_050);
  expect(zon).toMatchObject({ counterName: 'BAKKERIJ DE ZON B.V.', bookedOn: '2026-11-02' });
  expect([zon.text, zon.creditorReference]).toContain('RF0420260002');
  expect(byAmount(-80_000)).toMatchObject({ bookedOn: '2026-11-03', text: 'Huur november' });
  expect(byAmount(-80_000).counterName).toMatch(/^Vastgoed (&|en) Beheer BV$/);
  const [statement, ...more] = statements;
  expect(more).toEqual([]);
  expect(statement!.account).toMatch(/^NL\d\d(ABNA|INGB|RABO|KNAB|BUNQ)\d{10}$/);
  expect(statement!.sumCents).toBe(lines.reduce((sum, { amountCents }) => sum + amountCents, 0));
  expect(statement!.lineCount).toBe(lines.length);
});

test.each([...FORMATS, ...TABLES.slice(0, 3)])('%s: its balances add up', async (name) => {
  const { statements } = await parsed(fileOf(name));
  const { openingCents, closingCents, sumCents } = statements[0]!;
  expect(openingCents).toBe(100_000);
  expect(closingCents).toBe(openingCents! + sumCents);
});

test('the same in both versions of camt.053: batches in parts, what came back, nothing that is pending', async () => {
  const [second, eighth] = [await parsed(fileOf('camt053-v02.xml')), await parsed(fileOf('camt053-v08.xml'))];
  expect(eighth).toEqual(second);
  expect(second.lines.map(({ amountCents, special }) => [amountCents, special])).toEqual([
    ...[
      [12_100, undefined],
      [6_050, undefined],
      [-80_000, undefined],
      [36_300, undefined],
    ],
    ...[
      [2_500, undefined],
      [5_000, undefined],
      [-12_100, 'reversal'],
    ],
  ]);
  expect(second.lines.map(({ bankReference }) => bankReference)).toContain('0309-BATCH/2');
});

test('a batch whose parts are not said is one line, and never booked by itself', async () => {
  const xml = fileOf('camt053-v08.xml').toString().replace('<Amt Ccy="EUR">25.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>', '');
  const { lines } = await parsed(xml);
  expect(lines.find(({ special }) => special === 'batch')).toMatchObject({
    amountCents: 7_500,
    text: expect.stringContaining('/'),
  });
});

test.each([...FORMATS, ...TABLES])('%s: the same however it is cut into pieces', async (name) => {
  const whole = await parsed(fileOf(name));
  for (const size of [1, 7, 64]) expect(await parsed(fileOf(name), size)).toEqual(whole);
});

describe('is refused', () => {
  const xml = fileOf('camt053-v08.xml').toString();
  const refused = (bytes: string | Uint8Array, message: RegExp) =>
    expect(parsed(bytes)).rejects.toMatchObject({
      code: 'validation',
      details: [{ path: '/file', message: expect.stringMatching(message) }],
    });

  test('a document type, and with it entities and bombs', async () => {
    const bomb = '<!DOCTYPE Document [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    await refused(xml.replace('?>', `?>${bomb}`), /document type/);
    await refused(xml.replace('?>', '?><!DOCTYPE Document SYSTEM "file:///etc/passwd">'), /document type/);
    await refused(xml.replace('Huur november', '&xxe;'), /well-formed/);
  });

  test('what is too deep, too long or cut off', async () => {
    await refused(xml.replace('<Stmt>', '<x>'.repeat(100)), /nested/);
    await refused(xml.replace('Huur november', 'x'.repeat(100_000)), /too long/);
    await refused(xml.slice(0, xml.length - 40), /well-formed/);
    await refused(`:20:x\n:25:NL91ABNA0417164300\n:60F:C261101EUR1,00\n:86:${'x'.repeat(50_000)}`, /too long/);
  });

  test('another message, an amount or a day that is none, an unknown table, an archive, nothing', async () => {
    await refused(xml.replace('camt.053.001.08', 'pain.001.001.03'), /not camt.053/);
    await refused(xml.replace('>800.00<', '>8OO.00<'), /not an amount/);
    await refused(xml.replace('>800.00<', '>800.001<'), /not an amount/);
    await refused(xml.replace('2026-11-03</Dt></BookgDt>', '2026-02-30</Dt></BookgDt>'), /not a day/);
    await refused('naam;bedrag\nJan;12\n', /no statement/);
    await refused('a,b\n'.repeat(20), /no statement/);
    await refused('# Title\n\nrun "it" twice; and "again\n', /no statement/);
    await refused('PK\u0003\u0004', /zip/);
    await refused(' \n', /empty/);
  });
});

test('Latin letters of an older export are read as they were meant', async () => {
  const csv = fileOf('rabobank.csv').toString('latin1').replace('S. de Wit', 'Zo\u00eb M\u00fcller');
  const { lines } = await parsed(Buffer.from(csv, 'latin1'), 3);
  expect(lines[0]!.counterName).toBe('Zoë Müller');
});

test('whatever a file is, it is taken in or refused with a reason', async () => {
  const seeds = [...FORMATS, ...TABLES].map(fileOf);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(seeds.length - 1),
      fc.array(fc.tuple(fc.nat(20_000), fc.uint8Array({ maxLength: 6 })), { maxLength: 4 }),
      async (which, changes) => {
        let bytes: Buffer = seeds[which]!;
        for (const [at, put] of changes)
          bytes = Buffer.concat([bytes.subarray(0, at % bytes.length), put, bytes.subarray((at % bytes.length) + 1)]);
        await parsed(bytes, 512).catch((error: unknown) => expect(error).toMatchObject({ code: 'validation' }));
      },
    ),
    { numRuns: 400 },
  );
});
