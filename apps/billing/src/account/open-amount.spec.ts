import fc from 'fast-check';
import { openAmount, receivedCents, type AccountFacts, type EntryFact } from './open-amount';

const amount = fc.integer({ min: 1, max: 1_000_000 });
const entryOf = (type: EntryFact['type'], amountCents: number, _id: string, of?: string): EntryFact => ({
  _id,
  type,
  amountCents,
  of: of ?? null,
});

/** Entries as they may stand on an account, with reversals of some of them. */
const entries = fc
  .array(
    fc.record({
      type: fc.constantFrom('payment', 'refund', 'settlement', 'chargeback', 'write_off'),
      amount,
      isReversed: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.flatMap(({ type, amount: cents, isReversed }, index): EntryFact[] => [
      entryOf(type as EntryFact['type'], cents, `e${index}`),
      ...(isReversed ? [entryOf('reversal', cents, `r${index}`, `e${index}`)] : []),
    ]),
  );

const facts: fc.Arbitrary<AccountFacts> = fc.record({
  totalCents: fc.integer({ min: -1_000, max: 2_000_000 }),
  credits: fc
    .array(amount, { maxLength: 3 })
    .map((all) => all.map((amountCents, index) => ({ noteId: `n${index}`, amountCents }))),
  entries,
});

test('neither order nor repeats change what is open', () => {
  fc.assert(
    fc.property(facts, fc.infiniteStream(fc.nat()), (account, numbers) => {
      const shuffled = <T>(all: readonly T[]): T[] => {
        const repeated = [...all, ...all.filter(() => (numbers.next().value as number) % 2 === 0)];
        return repeated
          .map((each) => [numbers.next().value as number, each] as const)
          .sort(([a], [b]) => a - b)
          .map(([, each]) => each);
      };
      const again = { ...account, credits: shuffled(account.credits), entries: shuffled(account.entries) };
      expect(openAmount(again)).toEqual(openAmount(account));
    }),
  );
});

test('what is owed and not here is open, what is here and not owed is surplus, and never both', () => {
  fc.assert(
    fc.property(facts, (account) => {
      const now = openAmount(account);
      const owed = Math.max(0, now.totalCents - now.creditedCents - now.writtenOffCents);
      expect(now.openCents - now.surplusCents).toBe(owed - receivedCents(now));
      expect(Math.min(now.openCents, now.surplusCents)).toBe(0);
      expect(now.openCents >= 0 && now.surplusCents >= 0).toBe(true);
      expect(now.state === 'overpaid').toBe(now.surplusCents > 0);
      if (now.state === 'paid') expect([now.openCents, receivedCents(now) > 0]).toEqual([0, true]);
      if (now.openCents > 0) expect(['sent', 'partly_paid']).toContain(now.state);
    }),
  );
});

test('a reversal leaves the account as if its entry had never been', () => {
  fc.assert(
    fc.property(facts, (account) => {
      const reversed = new Set(account.entries.flatMap(({ type, of }) => (type === 'reversal' ? [of] : [])));
      const without = account.entries.filter(({ _id, type }) => type !== 'reversal' && !reversed.has(_id));
      expect(openAmount({ ...account, entries: without })).toEqual(openAmount(account));
    }),
  );
});

test('what names another entry and is no reversal takes nothing back', () => {
  const paidBack = [entryOf('payment', 12_100, 'e0'), entryOf('refund', 100, 'e1', 'e0')];
  expect(openAmount({ totalCents: 12_100, credits: [], entries: paidBack })).toMatchObject({
    paidCents: 12_100,
    refundedCents: 100,
    openCents: 100,
  });
});

describe('an invoice of 121.00', () => {
  const after = (credits: number[], ...all: [EntryFact['type'], number][]) =>
    openAmount({
      totalCents: 12_100,
      credits: credits.map((amountCents, index) => ({ noteId: `n${index}`, amountCents })),
      entries: all.map(([type, cents], index) => entryOf(type, cents, `e${index}`)),
    });

  test.each<[string, () => ReturnType<typeof openAmount>, object]>([
    ['is sent', () => after([]), { state: 'sent', openCents: 12_100, surplusCents: 0 }],
    ['given for nothing', () => openAmount({ totalCents: 0, credits: [], entries: [] }), { state: 'sent' }],
    ['partly paid', () => after([], ['payment', 100]), { state: 'partly_paid', openCents: 12_000 }],
    ['paid', () => after([], ['payment', 12_100]), { state: 'paid', openCents: 0 }],
    [
      'paid twice',
      () => after([], ['payment', 12_100], ['payment', 12_100]),
      { state: 'overpaid', surplusCents: 12_100 },
    ],
    ['credited whole', () => after([12_100]), { state: 'credited', openCents: 0, creditedCents: 12_100 }],
    ['paid, then credited', () => after([12_100], ['payment', 12_100]), { state: 'overpaid', surplusCents: 12_100 }],
    [
      'paid, credited and given back: nothing is open',
      () => after([12_100], ['payment', 12_100], ['refund', 12_100]),
      { state: 'credited', openCents: 0, surplusCents: 0 },
    ],
    ['given back and kept open', () => after([], ['payment', 12_100], ['refund', 100]), { openCents: 100 }],
    [
      'charged back',
      () => after([], ['payment', 12_100], ['chargeback', 12_100]),
      { state: 'sent', openCents: 12_100 },
    ],
    [
      'given back and charged back: the payer owes what he has twice',
      () => after([12_100], ['payment', 12_100], ['refund', 12_100], ['chargeback', 12_100]),
      { openCents: 12_100 },
    ],
    ['the rest given up', () => after([], ['payment', 12_000], ['write_off', 100]), { state: 'paid', openCents: 0 }],
    [
      'given up and paid after all',
      () => after([], ['write_off', 12_100], ['payment', 12_100]),
      { surplusCents: 12_100 },
    ],
  ])('%s', (_what, now, wanted) => expect(now()).toMatchObject(wanted));

  test('that was issued as paid: nothing is open, before and after the entry of that payment is there', () => {
    const prepayment = { provider: 'mollie', id: 'tr_1', amountCents: 12_100 };
    const told = { ...entryOf('payment', 12_100, 'e'), provider: 'mollie', paymentId: 'tr_1' };
    for (const list of [[], [told]])
      expect(openAmount({ totalCents: 12_100, prepayment, credits: [], entries: list })).toMatchObject({
        state: 'paid',
        paidCents: 12_100,
      });
    // Another payment is another one, even if only its id or only its provider differs.
    for (const other of [
      { provider: 'mollie', paymentId: 'tr_2' },
      { provider: 'stripe', paymentId: 'tr_1' },
    ])
      expect(
        openAmount({ totalCents: 12_100, prepayment, credits: [], entries: [{ ...told, ...other }] }),
      ).toMatchObject({ state: 'overpaid', paidCents: 24_200 });
    const refund = { ...told, type: 'refund' as const };
    expect(openAmount({ totalCents: 12_100, prepayment, credits: [], entries: [refund] })).toMatchObject({
      paidCents: 12_100,
      refundedCents: 12_100,
    });
  });
});
