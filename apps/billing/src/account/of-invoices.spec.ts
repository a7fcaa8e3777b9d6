import fc from 'fast-check';
import { ofInvoices } from './of-invoices';

interface Row {
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly nth: number;
}

/** What is stored, and how it was asked for. */
function storeOf(rows: Row[]) {
  const reads: (readonly [string, readonly string[]])[] = [];
  const find = ofInvoices(async (organizationId, ids) => {
    reads.push([organizationId, ids]);
    await new Promise((resolve) => setImmediate(resolve));
    return rows.filter((row) => row.organizationId === organizationId && ids.includes(row.invoiceId));
  });
  return { reads, find };
}

const invoice = fc.constantFrom('i1', 'i2', 'i3', 'i4');
const organization = fc.constantFrom('a', 'b');
const stored = fc.array(fc.record({ organizationId: organization, invoiceId: invoice, nth: fc.nat() }));
const question = fc.tuple(organization, fc.uniqueArray(invoice));

test('each is answered what is stored of its organisation, in order, whoever asks beside it', () =>
  fc.assert(
    fc.asyncProperty(stored, fc.array(question, { maxLength: 12 }), async (rows, questions) => {
      const { find, reads } = storeOf(rows);
      const answers = await Promise.all(questions.map(([organizationId, ids]) => find(organizationId, ids)));
      for (const [index, [organizationId, ids]] of questions.entries()) {
        for (const id of ids) {
          const own = rows.filter((row) => row.organizationId === organizationId && row.invoiceId === id);
          expect(answers[index]!.get(id) ?? []).toEqual(own);
        }
        expect([...answers[index]!.values()].flat().every((row) => row.organizationId === organizationId)).toBe(true);
      }
      expect(reads.length).toBeLessThanOrEqual(3);
    }),
  ));

test('what is asked while a read runs sees what was stored meanwhile', async () => {
  const rows: Row[] = [];
  const { find, reads } = storeOf(rows);
  const before = find('a', ['i1']);
  rows.push({ organizationId: 'a', invoiceId: 'i2', nth: 1 });
  const [, after, beside] = await Promise.all([before, find('a', ['i2']), find('a', ['i1', 'i2'])]);
  expect([after.get('i2'), beside.get('i2')]).toEqual([[rows[0]], [rows[0]]]);
  expect(reads).toEqual([
    ['a', ['i1']],
    ['a', ['i2', 'i1']],
  ]);
  expect(await find('a', [])).toEqual(new Map());
  expect(reads).toHaveLength(2);
});
