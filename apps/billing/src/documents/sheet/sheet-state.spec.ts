import fc from 'fast-check';
import type { FrozenInvoice } from '../../invoices/invoice';
import { creditNote, dutchInvoice, prepaidInvoice, sampleInvoice } from '../testing/sample-invoices';
import { asksToPay, openCents, sheetState, type SheetState } from './sheet-state';
import type { AccountEntry, SheetAccount, SheetSource } from './sheet-source';
import { sheetView } from './sheet-view';

const { inclCents } = dutchInvoice.totals;
const entry = (kind: AccountEntry['kind'], settlesCents: number): AccountEntry => ({
  kind,
  date: '2026-11-28',
  settlesCents,
});
const account = (entries: readonly AccountEntry[], today = '2026-12-01'): SheetAccount => ({
  openCents: inclCents - entries.reduce((sum, { settlesCents }) => sum + settlesCents, 0),
  entries,
  today,
});

test.each<[string, SheetSource, SheetState]>([
  ['as issued', { invoice: dutchInvoice }, 'open'],
  ['a draft', { invoice: dutchInvoice, isDraft: true }, 'draft'],
  ['a credit note', { invoice: creditNote }, 'credit_note'],
  ['paid before it was issued', { invoice: prepaidInvoice }, 'paid'],
  ['of nothing', { invoice: sampleInvoice([{ description: 'x', unitPriceCents: 0 }]) }, 'settled'],
  ['on its last day', { invoice: dutchInvoice, account: account([], '2026-12-05') }, 'open'],
  ['a day later', { invoice: dutchInvoice, account: account([], '2026-12-06') }, 'overdue'],
  ['partly paid', { invoice: dutchInvoice, account: account([entry('payment', 1)]) }, 'partly_paid'],
  ['paid', { invoice: dutchInvoice, account: account([entry('payment', inclCents)]) }, 'paid'],
  ['paid twice', { invoice: dutchInvoice, account: account([entry('payment', 2 * inclCents)]) }, 'overpaid'],
  ['credited', { invoice: dutchInvoice, account: account([entry('credit_note', inclCents)]) }, 'credited'],
  [
    'credited and paid',
    { invoice: dutchInvoice, account: account([entry('credit_note', 100), entry('payment', inclCents - 100)]) },
    'paid',
  ],
  [
    'charged back',
    { invoice: dutchInvoice, account: account([entry('payment', inclCents), entry('chargeback', -inclCents)]) },
    'open',
  ],
])('an invoice %s', (_what, source, state) => {
  expect(sheetState(source)).toBe(state);
});

const entries = fc.array(
  fc.record({
    kind: fc.constantFrom<AccountEntry['kind']>('payment', 'credit_note', 'refund', 'chargeback', 'write_off'),
    settlesCents: fc.integer({ min: -inclCents, max: inclCents }),
    date: fc.constant('2026-11-28'),
  }),
  { maxLength: 5 },
);

test('a sheet asks for what is open, by its words, its figures and its code; and for nothing when nothing is', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (happened) => {
      const source = { invoice: dutchInvoice, account: account(happened) };
      const { panel, sums } = await sheetView(source);
      const open = openCents(source);
      const asked = panel?.qr !== null;
      expect(asked).toBe(open > 0);
      expect(asksToPay(source)).toBe(open > 0);
      expect(panel!.facts.length > 0).toBe(open > 0);
      if (open > 0) expect(panel!.text).toContain(sums.total.amount);
      else expect(JSON.stringify(panel)).not.toMatch(/Maak|IBAN|overmaken/);
    }),
    { numRuns: 200 },
  );
});

test('a document of a test organisation says so on top of every sheet and beside its heading', async () => {
  for (const source of [
    { invoice: dutchInvoice, isTest: true },
    { invoice: { ...dutchInvoice, test: true as const } },
  ]) {
    const { banner, badges } = await sheetView(source);
    expect(banner).toMatch(/^TEST/);
    expect(badges).toContainEqual({ text: 'TEST', tone: 'bad' });
  }
  const live = await sheetView({ invoice: dutchInvoice });
  expect([live.banner, live.badges]).toEqual(['', []]);
});

test('the day of supply is said where it is known and another day than that of issue; a period stands instead', async () => {
  const said = async (changes: Partial<FrozenInvoice>): Promise<string[]> => {
    const { facts } = await sheetView({ invoice: { ...dutchInvoice, ...changes } });
    return facts.flatMap(({ label, value }) => (/^(Leverdatum|Periode)$/.test(label) ? [`${label} ${value}`] : []));
  };
  expect(await said({ supplyDate: dutchInvoice.issueDate })).toEqual([]);
  expect(await said({ supplyDate: '' })).toEqual([]);
  expect(await said({ supplyDate: '2026-11-18' })).toEqual(['Leverdatum 18 november 2026']);
  const period = { from: '2026-11-01', to: '2026-11-30' };
  expect(await said({ supplyDate: '', period })).toEqual([expect.stringMatching(/^Periode 1.+30 november 2026$/)]);
});

test('the link is words that lead to the page', async () => {
  const { panel } = await sheetView({ invoice: dutchInvoice });
  expect(panel!.link).toEqual({ text: 'Betaal of bekijk deze factuur online', url: dutchInvoice.publicUrl });
});
