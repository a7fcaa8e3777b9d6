import fc from 'fast-check';
import {
  GONE,
  WAITS,
  attempted,
  held,
  inState,
  leased,
  newDelivery,
  queued,
  queuedInOrder,
  redelivered,
  type Delivery,
  type NextState,
} from './delivery';
import { afterAttempt, rotatedSecrets, validSecrets, type Endpoint } from './endpoint';
import { FAILING_LIMIT_MS, WAITS_MS } from './retry-schedule';

const START = new Date('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;
const event = { eventId: 'event', eventType: 'invoice.paid', organizationId: 'organization', body: '{}' };

type Step =
  | { do: 'take' | 'queue' | 'hold' | 'redeliver' | 'redeliverPeriod' }
  | { do: 'attempt'; status: number; retryAfterMs: number | undefined; random: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('take' as const, 'take' as const, 'queue' as const, 'hold' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('redeliver' as const, 'redeliverPeriod' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('attempt' as const),
      status: fc.constantFrom(0, 199, 200, 204, 299, 300, 404, 500, 500, 503, GONE),
      retryAfterMs: fc.option(fc.nat({ max: 3 * DAY_MS }), { nil: undefined }),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
  },
);

/** The next state, where the step can happen at all: only what is pending is taken, and only what is taken is attempted. */
function stateAfter(delivery: Delivery, each: Step, now: Date): NextState | undefined {
  const isPending = delivery.status === 'pending';
  switch (each.do) {
    case 'take':
      return isPending ? leased('lease', new Date(now.getTime() + 4_000)) : undefined;
    case 'queue':
      return isPending && !delivery.lease ? queued(delivery.endpointId, now) : undefined;
    case 'hold':
      return isPending ? held : undefined;
    case 'redeliver':
      return redelivered(now);
    case 'redeliverPeriod':
      return isPending || delivery.status === 'delivered' ? undefined : queuedInOrder(delivery);
    case 'attempt':
      return delivery.lease ? attempted(delivery, each, now, each.random) : undefined;
  }
}

test('whatever happens to a delivery, a pending one waits for exactly one thing, and no other waits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = START;
      let delivery = newDelivery('endpoint', event, now, queued('endpoint', now));
      for (const each of steps) {
        now = new Date(now.getTime() + 1_000);
        const next = stateAfter(delivery, each, now);
        if (!next) continue;
        const before = delivery;
        delivery = inState(before, next);
        checkState(delivery);
        checkStep(before, delivery, each, now);
      }
    }),
    { numRuns: 1_000 },
  );
});

function checkState(delivery: Delivery): void {
  const { status, tries, dueAt, lease, queue, queuedAt, inOrder } = delivery;
  const waits = WAITS.filter((field) => delivery[field] !== undefined);
  if (status === 'pending') expect([dueAt, queue].filter((each) => each !== undefined)).toHaveLength(1);
  else expect(waits).toEqual([]);
  if (lease) expect(dueAt).toBeDefined();
  if (inOrder) expect(queue).toBeDefined();
  expect(queuedAt === undefined).toBe(queue === undefined);
  if (queue) expect(queue).toBe(delivery.endpointId);
  expect(tries).toBeLessThanOrEqual(WAITS_MS.length + 1);
}

function checkStep(before: Delivery, after: Delivery, each: Step, now: Date): void {
  const unchanged = (delivery: Delivery) => inState(delivery, { status: 'pending', tries: 0 });
  expect(unchanged(after)).toEqual(unchanged(before));
  if (each.do === 'redeliver' || each.do === 'redeliverPeriod')
    expect([after.status, after.tries]).toEqual(['pending', 0]);
  if (each.do !== 'attempt') return;
  expect(after.tries).toBe(before.tries + 1);
  const hasArrived = each.status >= 200 && each.status < 300;
  expect(after.status === 'delivered').toBe(hasArrived);
  if (each.status === GONE || (!hasArrived && after.tries > WAITS_MS.length)) expect(after.status).toBe('failed');
  else if (!hasArrived) expect(after.dueAt!.getTime()).toBeGreaterThanOrEqual(now.getTime() + WAITS_MS[before.tries]!);
}

test('when every attempt of the schedule fails, the delivery has failed', () => {
  let delivery = newDelivery('endpoint', event, START, redelivered(START));
  for (let tries = 1; tries <= WAITS_MS.length + 1; tries++) {
    expect(delivery.status).toBe('pending');
    delivery = inState(delivery, attempted(delivery, { status: 500, retryAfterMs: undefined }, START, 0));
    expect(delivery.tries).toBe(tries);
  }
  expect(delivery.status).toBe('failed');
});

const endpoint = (secrets: Endpoint['secrets']): Endpoint => ({
  _id: 'endpoint',
  organizationId: 'organization',
  url: 'https://example.com',
  events: [],
  enabled: true,
  disabledReason: '',
  secrets,
  createdAt: START,
});

test('an endpoint is disabled by 410 at once, and by failures only after five days of nothing else', () => {
  const status = fc.constantFrom(0, 200, 204, 400, 500, GONE);
  const hours = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fc.array(fc.tuple(status, hours), { minLength: 1, maxLength: 30 }), (attempts) => {
      let at = START;
      let failingSince: Date | undefined;
      for (const [code, later] of attempts) {
        at = new Date(at.getTime() + later * 3_600_000);
        const change = afterAttempt(failingSince ? { failingSince } : {}, { at, status: code });
        const hasArrived = code === 200 || code === 204;
        const isLong = failingSince !== undefined && at.getTime() - failingSince.getTime() > FAILING_LIMIT_MS;
        const reason = code === GONE ? 'gone' : isLong && !hasArrived ? 'failing' : undefined;
        expect(change.kind === 'disabled' ? change.reason : undefined).toBe(reason);
        if (reason) return;
        if (hasArrived) {
          expect(change.kind).toBe(failingSince ? 'works_again' : 'none');
          failingSince = undefined;
        } else {
          expect(change).toEqual(failingSince ? { kind: 'none' } : { kind: 'fails', since: at });
          failingSince ??= at;
        }
      }
    }),
  );
});

test('a rotated secret signs beside the new one for a day, and not at all when it leaked', () => {
  const rotated = endpoint(rotatedSecrets(endpoint([{ sealed: 'old' }]), 'new', START, { now: false }));
  const signing = (secrets: Endpoint, afterMs: number) =>
    validSecrets(secrets, new Date(START.getTime() + afterMs)).map(({ sealed }) => sealed);
  expect(signing(rotated, 0)).toEqual(['new', 'old']);
  expect(signing(rotated, DAY_MS)).toEqual(['new']);
  const twice = endpoint(rotatedSecrets(rotated, 'newest', START, { now: false }));
  expect(signing(twice, 0)).toEqual(['newest', 'new']);
  expect(signing(endpoint(rotatedSecrets(rotated, 'newest', START, { now: true })), 0)).toEqual(['newest']);
});
