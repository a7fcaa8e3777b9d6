import type { TestScenario } from '@invoicing/rules';
import { nextAttempt } from './retry-schedule';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'held';

/**
 * Where a delivery stands. A pending one waits either for its time (`dueAt`) or in its endpoint's queue (`queue`); the others wait for
 * nothing.
 */
export interface DeliveryState {
  readonly status: DeliveryStatus;
  /** Attempts since it was created or last redelivered by hand. */
  readonly tries: number;
  /** When somebody may take it (again). */
  readonly dueAt?: Date;
  /** Who has taken it, until `dueAt`. */
  readonly lease?: string;
  /** The endpoint's id while it waits for room there, since `queuedAt`. Such a wait is not a retry. */
  readonly queue?: string;
  readonly queuedAt?: Date;
  /** Of a redelivery by period, while it waits: sent one after the other. */
  readonly inOrder?: boolean;
}

/** The next state of a delivery, which the functions below answer and the store writes. Without `tries` they stay as they are. */
export type NextState = Omit<DeliveryState, 'tries'> & Partial<Pick<DeliveryState, 'tries'>>;

/** One event on its way to one endpoint. */
export interface Delivery extends DeliveryState {
  /** `<event id>:<endpoint id>`: the same event again meets the same delivery. */
  readonly _id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly organizationId: string;
  readonly eventType: string;
  readonly body: string;
  /** The newest, oldest first. */
  readonly attempts: Attempt[];
  readonly createdAt: Date;
  /** W3C trace of the event, which the attempts continue; only when it was traced. */
  readonly traceparent?: string;
  /** What its test organisation wished to happen to it. */
  readonly testScenario?: TestScenario;
}

/** How one attempt went. */
export interface Attempt {
  readonly at: Date;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Why no answer came; empty when one did. */
  readonly error: string;
  readonly durationMs: number;
  /** Beginning of the answer, for operators only. */
  readonly excerpt: string;
}

/** What of an event a delivery carries. */
export type DeliveredEvent = Pick<
  Delivery,
  'eventId' | 'eventType' | 'organizationId' | 'body' | 'traceparent' | 'testScenario'
>;

/** Half open. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The receiver says that it is gone: no attempt after this one, at this delivery or any other. */
export const GONE = 410;

/** What a delivery can wait for: a next state that does not name one ends it. */
export const WAITS = ['dueAt', 'lease', 'queue', 'queuedAt', 'inOrder'] as const satisfies (keyof DeliveryState)[];

const AFRESH = { status: 'pending', tries: 0 } as const;

/** A delivery that nobody has tried yet. */
export const newDelivery = (
  endpointId: string,
  event: DeliveredEvent,
  createdAt: Date,
  state: NextState,
): Delivery => ({
  _id: `${event.eventId}:${endpointId}`,
  ...event,
  endpointId,
  tries: 0,
  attempts: [],
  createdAt,
  ...state,
});

/** The delivery in its next state. */
export function inState(delivery: Delivery, next: NextState): Delivery {
  const { dueAt: _dueAt, lease: _lease, queue: _queue, queuedAt: _queuedAt, inOrder: _inOrder, ...rest } = delivery;
  return { ...rest, ...next };
}

/** Taken, for an attempt that ends before `until` or is prolonged. */
export const leased = (lease: string, until: Date): NextState => ({ status: 'pending', dueAt: until, lease });

/** Its endpoint has no room for it now. */
export const queued = (endpointId: string, now: Date): NextState => ({
  status: 'pending',
  queue: endpointId,
  queuedAt: now,
});

/** Of a redelivery by period: in the order in which they were made, with the whole schedule before it again. */
export const queuedInOrder = ({ endpointId, createdAt }: Pick<Delivery, 'endpointId' | 'createdAt'>): NextState => ({
  ...AFRESH,
  queue: endpointId,
  queuedAt: createdAt,
  inOrder: true,
});

/** Due now, with the whole schedule before it again. */
export const redelivered = (now: Date): NextState => ({ ...AFRESH, dueAt: now });

/** Kept while its endpoint is disabled, until it is redelivered. */
export const held: NextState = { status: 'held' };

export const isDelivered = ({ status }: Pick<Attempt, 'status'>): boolean => status >= 200 && status < 300;

/** After an attempt: it has arrived, or it is due again as the schedule says (`random` in [0, 1)), or it has failed for good. */
export function attempted(
  { tries: before }: Pick<DeliveryState, 'tries'>,
  { status, retryAfterMs }: Pick<Attempt, 'status'> & { readonly retryAfterMs: number | undefined },
  now: Date,
  random: number,
): NextState {
  const tries = before + 1;
  if (isDelivered({ status })) return { status: 'delivered', tries };
  const dueAt = status === GONE ? undefined : nextAttempt(tries, now, random, retryAfterMs);
  return dueAt ? { status: 'pending', tries, dueAt } : { status: 'failed', tries };
}
