import fc from 'fast-check';
import { collectionCosts } from './collection-costs';
import { claimOf, dueStep, noticeUntil, type Debt, type ReminderStep } from './reminder-plan';
import { interestCents, unknownRates } from './statutory-interest';

// The tables of the law itself and of the judges' report BGK-integraal.
test.each([
  [0, 0],
  [1, 4_000],
  [26_666, 4_000],
  [26_700, 4_005],
  [100_000, 15_000],
  [250_000, 37_500],
  [500_000, 62_500],
  [1_000_000, 87_500],
  [20_000_000, 277_500],
  [100_000_000, 677_500],
  [9_000_000_000_000, 677_500],
])('a claim of %s cents costs %s', (claim, costs) => expect(collectionCosts(claim)).toBe(costs));

test('costs never fall as a claim grows, and stay between their limits', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000_000 }), fc.integer({ min: 0, max: 1_000_000 }), (claim, more) => {
      const [costs, higher] = [collectionCosts(claim), collectionCosts(claim + more)];
      expect(higher).toBeGreaterThanOrEqual(costs);
      expect(costs).toBeGreaterThanOrEqual(4_000);
      expect(higher).toBeLessThanOrEqual(677_500);
    }),
  ));

describe('interest', () => {
  const consumer = { kind: 'consumer', dueDate: '2024-12-31' } as const;
  const open = [{ from: '2024-01-01', openCents: 100_000 }];

  test('by the day, at the rate of the day', () => {
    expect(interestCents({ ...consumer, until: '2024-12-31' }, open)).toBe(0);
    // 1,000.00 for 73 days at 6 %: a fifth of a year.
    expect(interestCents({ ...consumer, until: '2025-03-14' }, open)).toBe(1_200);
    // 181 days at 11.15 %, 92 at 10.15 %.
    expect(interestCents({ kind: 'business', dueDate: '2024-12-31', until: '2025-09-30' }, open)).toBe(5_529 + 2_558);
  });

  test('on what was open then, and with the interest of each full year', () => {
    const paidHalf = [...open, { from: '2025-03-15', openCents: 50_000 }];
    expect(interestCents({ ...consumer, until: '2025-05-26' }, paidHalf)).toBe(1_200 + 600);
    expect(interestCents({ ...consumer, until: '2025-12-31' }, open)).toBe(6_000);
    // The second year on 1,060.00: 181 days at 4 %.
    expect(interestCents({ ...consumer, until: '2026-06-30' }, open)).toBe(6_000 + 2_102);
  });

  test("at the organisation's own rates where it has some", () => {
    const own = [{ kind: 'consumer', from: '2025-02-01', bps: 0 } as const];
    expect(interestCents({ ...consumer, until: '2025-12-31' }, open, own)).toBe(
      Math.floor((100_000 * 0.06 * 31) / 365),
    );
  });
});

test('nothing is guessed: days whose rate is not known earn nothing, and whoever asks for it is told', () => {
  const debtor = { kind: 'business', dueDate: '2026-06-30' } as const;
  const open = [{ from: '2025-01-01', openCents: 100_000 }];
  const known = interestCents({ ...debtor, until: '2026-12-31' }, open);
  // 184 days at 10.40 %.
  expect(known).toBe(5_242);
  expect(interestCents({ ...debtor, until: '2027-03-01' }, open)).toBe(known);
  const own = [{ kind: 'business', from: '2027-01-01', bps: 1_000 } as const];
  // 31 more at 10 %.
  expect(interestCents({ ...debtor, until: '2027-01-31' }, open, own)).toBe(6_092);
  expect(unknownRates('2026-12-31', [])).toEqual([]);
  expect(unknownRates('2027-01-01', []).map((each) => /\((.*)\)/.exec(each)![1])).toEqual([
    'consumer:2027-01-01:BASIS_POINTS',
    'business:2027-01-01:BASIS_POINTS',
  ]);
  expect(unknownRates('2027-01-01', own)).toHaveLength(1);
  expect(unknownRates('2027-01-01', [{ ...own[0]!, from: '2025-01-01' }])).toHaveLength(2);
});

const step: ReminderStep = { afterDays: 30, channel: 'email', costs: true, interest: false, texts: [] };
const debt: Debt = {
  ...{ isConsumer: true, sellerCountry: 'NL', buyerCountry: 'NL', dueDate: '2026-10-01', openCents: 12_100 },
  open: [{ from: '2026-10-01', openCents: 12_100 }],
};

describe('costs', () => {
  const costs = (changes: Partial<Debt>, today = '2026-11-01') => claimOf(step, { ...debt, ...changes }, today, []);

  test('of a business at once', () =>
    expect(costs({ isConsumer: false })).toEqual({ openCents: 12_100, interestCents: 0, costsCents: 4_000 }));

  test('of a consumer only when the fourteen days are over that they were given', () => {
    expect(costs({})).toEqual({
      ...{ openCents: 12_100, interestCents: 0, costsCents: 0 },
      notice: { costsCents: 4_000, until: '2026-11-16' },
    });
    const notice = { sentOn: '2026-11-01', channel: 'email' } as const;
    expect(noticeUntil('2026-11-01', 'post')).toBe('2026-11-23');
    expect(costs({ notice }, '2026-11-16')).toMatchObject({ costsCents: 0 });
    expect(costs({ notice }, '2026-11-17')).toMatchObject({ costsCents: 4_000 });
  });

  test('not under the law of another country', () => {
    for (const changes of [{ sellerCountry: 'DE' }, { buyerCountry: 'BE' }])
      expect(costs(changes)).toEqual({ openCents: 12_100, interestCents: 0, costsCents: 0 });
    expect(costs({ isConsumer: false, buyerCountry: 'BE' })).toMatchObject({ costsCents: 4_000 });
  });
});

test('only the latest step that is due', () => {
  const plan = { steps: [7, 14, 30].map((afterDays) => ({ ...step, afterDays })) };
  expect(
    ['2026-10-07', '2026-10-08', '2026-10-15', '2027-06-01'].map((today) => dueStep(plan, '2026-10-01', today)),
  ).toEqual([undefined, 0, 1, 2]);
});
