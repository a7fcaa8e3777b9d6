import { after, sampleSession } from '../testing/sample-session';
import { attemptCreated, beginAttempt } from './begin-attempt';
import { changeSession } from './change-session';
import { observePayment } from './observe-payment';
import { type Session } from './session';
import { expireSession } from './settle-session';

test('whoever loses the session to another change decides again on what it is then', async () => {
  let stored = sampleSession();
  let rivals = 2;
  const sessions = {
    find: async () => stored,
    replace: async (changed: Session) => {
      if (rivals-- > 0) {
        stored = { ...stored, title: `${stored.title}+`, revision: stored.revision + 1 };
        return false;
      }
      stored = { ...changed, revision: changed.revision + 1 };
      return true;
    },
  };
  const ports = { sessions, clock: { now: () => after(0) }, report: () => undefined, wake: () => undefined } as never;
  const changed = await changeSession(ports, stored, (session) => ({ ...session, sellerName: session.title }));
  expect(changed).toMatchObject({ title: 'Workshop++', sellerName: 'Workshop++', revision: 3 });
  expect(stored).toEqual(changed);
});

test('a checkout does not expire while a payment is pending, and does once it has failed', () => {
  const wanted = {
    id: 'a',
    accountId: 'x',
    provider: 'mollie',
    method: 'banktransfer',
    payer: null,
    language: 'nl' as const,
  };
  const begun = beginAttempt(sampleSession(), wanted, after(0));
  if (begun.kind !== 'proceed') throw new Error(begun.reason);
  const created = attemptCreated(begun.session, 'a', { paymentId: 'p', payUrl: 'https://bank' }, after(0));
  const seen = (status: 'pending' | 'failed'): Session => {
    const state = {
      id: 'p',
      status,
      amountCents: 12_100,
      currency: 'EUR',
      paidAt: null,
      payUrl: null,
      returnedCents: 0,
    };
    return expireSession(observePayment(created, 'a', state, after(1)), after(3_600_000));
  };
  expect([seen('pending').status, seen('failed').status]).toEqual(['open', 'expired']);
});

test('what is paid stays paid, however late it is looked at', () => {
  const paid = sampleSession({ status: 'paid', paidAt: after(1) });
  expect(expireSession(paid, after(3_600_000))).toBe(paid);
});
