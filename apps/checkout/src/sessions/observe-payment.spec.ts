import { after, sampleSession } from '../testing/sample-session';
import { attemptCreated, beginAttempt } from './begin-attempt';
import { observePayment, postponePoll } from './observe-payment';
import { type Session } from './session';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function started(): Session {
  const account = { accountId: 'account', provider: 'mollie' };
  const wanted = { ...account, id: 'a', method: 'banktransfer', payer: null, language: 'nl' as const };
  const begun = beginAttempt(sampleSession(), wanted, after(0));
  if (begun.kind !== 'proceed') throw new Error(begun.reason);
  return attemptCreated(begun.session, 'a', { paymentId: 'p', payUrl: 'https://bank' }, after(0));
}
const pending = (session: Session, at: Date): Session =>
  observePayment(
    session,
    'a',
    { id: 'p', status: 'pending', amountCents: 12_100, currency: 'EUR', paidAt: null, payUrl: null, returnedCents: 0 },
    at,
  );
const waitMs = (session: Session, at: Date): number => session.attempts[0]!.pollAt!.getTime() - at.getTime();

test.each([
  [SECOND_MS, 5 * SECOND_MS],
  [MINUTE_MS, 30 * SECOND_MS],
  [HOUR_MS, 30 * MINUTE_MS],
  [100 * HOUR_MS, HOUR_MS],
])('a payment of %i ms is asked for again after %i ms', (ageMs, wanted) => {
  expect(waitMs(pending(started(), after(ageMs)), after(ageMs))).toBe(wanted);
});

test('a payer who keeps looking makes polls no rarer', () => {
  let session = started();
  for (let visit = 1; visit <= 100; visit++) session = pending(session, after(visit * 100));
  expect(waitMs(session, after(10 * SECOND_MS))).toBe(5 * SECOND_MS);
});

test('a provider that did not answer is asked again within a minute, even about an old payment', () => {
  const session = pending(started(), after(100 * HOUR_MS));
  expect(waitMs(postponePoll(session, 'a', after(101 * HOUR_MS)), after(101 * HOUR_MS))).toBe(MINUTE_MS);
});

test('an older answer that comes late makes no pending payment open again', () => {
  const state = { id: 'p', status: 'open', amountCents: 12_100, currency: 'EUR', paidAt: null, payUrl: null } as const;
  const seen = observePayment(pending(started(), after(1)), 'a', { ...state, returnedCents: 0 }, after(2));
  expect(seen.attempts[0]!.status).toBe('pending');
});

test.each([
  ['a cent less', 12_099, 'EUR'],
  ['a cent more', 12_101, 'EUR'],
  ['another currency', 12_100, 'USD'],
])('a payment over %s pays nothing', (_, amountCents, currency) => {
  const state = { id: 'p', status: 'paid', paidAt: after(1), payUrl: null, returnedCents: 0 } as const;
  const seen = observePayment(started(), 'a', { ...state, amountCents, currency }, after(2));
  expect([seen.status, seen.attempts[0]!.status]).toEqual(['open', 'mismatched']);
});

test('a payment over the very sum pays', () => {
  const state = { id: 'p', status: 'paid', paidAt: after(1), payUrl: null, returnedCents: 0 } as const;
  const seen = observePayment(started(), 'a', { ...state, amountCents: 12_100, currency: 'EUR' }, after(2));
  expect([seen.status, seen.attempts[0]!.status]).toEqual(['paid', 'paid']);
});
