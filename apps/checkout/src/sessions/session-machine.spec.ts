import fc from 'fast-check';
import { after, sampleSession } from '../testing/sample-session';
import { attemptAbandoned, attemptCreated, beginAttempt } from './begin-attempt';
import { observePayment, type PaymentState } from './observe-payment';
import { isLive, isUnrecorded, type Attempt, type Session } from './session';
import { eventOf } from './session-events';
import { expireSession, fulfilmentDone, nextDueAt, postponeFulfilment } from './settle-session';

const INVOICE = { id: 'i', number: '2026-0001', publicToken: 't' };
const METHODS = ['ideal', 'bancontact'];
const FORMS = ['form-a', 'form-b', 'form-c', 'form-d'];

type Step =
  | { do: 'begin'; form: string; method: string }
  | { do: 'created' | 'abandoned'; which: number }
  | { do: 'observe'; which: number; status: PaymentState['status']; amount: number; foreign: boolean }
  | { do: 'time'; ms: number }
  | { do: 'fulfilled'; all: boolean }
  | { do: 'expire' | 'postpone' };

const which = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      form: fc.constantFrom(...FORMS),
      method: fc.constantFrom(...METHODS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('created' as const, 'created' as const, 'abandoned' as const),
      which,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('observe' as const),
      which,
      status: fc.constantFrom<PaymentState['status']>(
        'open',
        'pending',
        'paid',
        'paid',
        'failed',
        'canceled',
        'expired',
      ),
      amount: fc.constantFrom(12_100, 12_100, 12_100, 12_099, 0),
      foreign: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.integer({ min: 0, max: 2_000_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('expire' as const, 'postpone' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fulfilled' as const), all: fc.boolean() }) },
);

/** What the rules say, kept as plainly as possible beside the real thing. */
interface Model {
  now: Date;
  /** Attempt id → the last thing that counted. */
  readonly statuses: Map<string, Attempt['status']>;
  firstPaid: string | null;
  expired: boolean;
}

function run(steps: readonly Step[]): void {
  let session = sampleSession();
  const model: Model = { now: after(0), statuses: new Map(), firstPaid: null, expired: false };
  const events: string[] = [];
  let wasExpired = false;
  for (const each of steps) {
    const before = session;
    session = apply(before, each, model);
    events.push(...[eventOf(before, session, model.now)?.type ?? []].flat());
    wasExpired ||= session.status === 'expired';
    checkStep(before, session);
    checkModel(session, model);
    const told = [...(wasExpired ? ['checkout.expired'] : []), ...(model.firstPaid === null ? [] : ['checkout.paid'])];
    expect(events).toEqual(told);
  }
}

function apply(session: Session, step: Step, model: Model): Session {
  const { now } = model;
  const attempt = 'which' in step ? session.attempts[step.which] : undefined;
  const id = attempt?.id ?? 'none';
  switch (step.do) {
    case 'time':
      model.now = new Date(now.getTime() + step.ms);
      return session;
    case 'begin': {
      const account = { accountId: 'account', provider: 'sandbox' };
      const wanted = { ...account, id: step.form, method: step.method, payer: null, language: 'nl' as const };
      const begun = beginAttempt(session, wanted, now);
      const isOver = now >= after(3_600_000) || model.expired;
      const pending = [...model.statuses.values()].includes('pending');
      const reason = model.firstPaid !== null ? 'paid' : pending ? 'pending' : isOver ? 'expired' : undefined;
      if (begun.kind === 'refused') {
        expect(begun.reason).toBe(reason);
        return session;
      }
      expect(reason).toBeUndefined();
      expect(isLive(begun.attempt)).toBe(true);
      if (!model.statuses.has(begun.attempt.id)) model.statuses.set(begun.attempt.id, 'starting');
      return begun.session;
    }
    case 'created':
      if (model.statuses.get(id) === 'starting') model.statuses.set(id, 'open');
      return attemptCreated(session, id, { paymentId: `pay-${id}`, payUrl: 'https://bank' }, now);
    case 'abandoned':
      if (model.statuses.get(id) === 'starting') model.statuses.set(id, 'failed');
      return attemptAbandoned(session, id);
    case 'observe': {
      const { status, amount } = step;
      const state = {
        id: step.foreign ? 'pay-other' : `pay-${id}`,
        status,
        amountCents: amount,
        currency: 'EUR',
        paidAt: null,
        payUrl: null,
        returnedCents: 0,
      };
      const known = model.statuses.get(id);
      if (!step.foreign && (known === 'open' || known === 'pending')) {
        if (status === 'paid') {
          model.statuses.set(id, amount === 12_100 ? 'paid' : 'mismatched');
          if (amount === 12_100) model.firstPaid ??= id;
        } else if (!(known === 'pending' && status === 'open')) model.statuses.set(id, status);
      }
      return observePayment(session, id, state, now);
    }
    case 'expire': {
      const pending = [...model.statuses.values()].includes('pending');
      if (model.firstPaid === null && !pending && now >= after(3_600_000)) model.expired = true;
      return expireSession(session, now);
    }
    case 'fulfilled': {
      const due =
        session.fulfilment?.status === 'due' ? session.attempts.filter((each) => isUnrecorded(session, each)) : [];
      // All of them, or those that were there before another one came.
      const recorded = step.all ? due : due.slice(0, 1);
      return fulfilmentDone(session, INVOICE, new Map(recorded.map((each, index) => [each.id, index])));
    }
    case 'postpone':
      return postponeFulfilment(session, 1_000, now);
  }
}

/** What holds between any two states. */
function checkStep(before: Session, next: Session): void {
  if (before.status === 'paid') expect([next.status, next.paidAttemptId]).toEqual(['paid', before.paidAttemptId]);
  if (before.status === 'expired') expect(next.status).not.toBe('open');
  // What follows a payment is done once, unless another payment comes.
  const paid = ({ attempts }: Session): number => attempts.filter(({ status }) => status === 'paid').length;
  if (before.fulfilment?.status === 'done' && paid(before) === paid(next)) expect(next.fulfilment?.status).toBe('done');
  for (const attempt of before.attempts) {
    const now = next.attempts.find(({ id }) => id === attempt.id);
    if (!isLive(attempt)) expect(now?.status).toBe(attempt.status);
    if (attempt.paymentId) expect(now?.paymentId).toBe(attempt.paymentId);
    if (attempt.recorded) expect(now?.recorded).toBe(true);
  }
}

function checkModel(session: Session, { statuses, firstPaid, expired }: Model): void {
  expect(Object.fromEntries(session.attempts.map(({ id, status }) => [id, status]))).toEqual(
    Object.fromEntries(statuses),
  );
  expect(session.status).toBe(firstPaid !== null ? 'paid' : expired ? 'expired' : 'open');
  expect(session.paidAttemptId).toBe(firstPaid);
  for (const attempt of session.attempts) {
    // All money is on the account, or is to be.
    if (attempt.status === 'paid' && !attempt.recorded) expect(session.fulfilment?.status).toBe('due');
    if (attempt.status !== 'paid') expect(attempt.recorded).toBeUndefined();
    // And it is looked after from then on.
    if (attempt.status === 'paid') expect(attempt.pollAt).not.toBeNull();
  }
  const live = session.attempts.filter(isLive);
  expect(new Set(live.map(({ method }) => method)).size).toBe(live.length);
  // Nothing that is still to be done is ever forgotten.
  const isOpen = live.length > 0 || session.status !== 'expired';
  expect(nextDueAt(session) !== null).toBe(isOpen);
}

test('interleaved attempts, callbacks, expiry and fulfilment keep every rule', () => {
  const runs = Number(process.env['SEEDS'] ?? 1) * 1_500;
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), run), { numRuns: runs });
});
