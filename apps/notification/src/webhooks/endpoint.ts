import { GONE, isDelivered, type Attempt } from './delivery';
import { FAILING_LIMIT_MS } from './retry-schedule';

export type DisabledReason = 'operator' | 'gone' | 'failing';

export interface EndpointSecret {
  /** Encrypted by the secret sealer. */
  readonly sealed: string;
  /** A rotated one is valid until then. */
  readonly validUntil?: Date;
}

/** A URL of an organisation that events are posted to. */
export interface Endpoint {
  readonly _id: string;
  readonly organizationId: string;
  readonly url: string;
  /** Of the event catalogue. */
  readonly events: string[];
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | '';
  /** Newest first; at most two. */
  readonly secrets: EndpointSecret[];
  /** First failure since the last success. */
  readonly failingSince?: Date;
  readonly createdAt: Date;
}

export type EndpointRef = Pick<Endpoint, 'organizationId' | '_id'>;

/** How long a rotated secret signs beside the new one. */
const ROTATION_MS = 24 * 3_600_000;

export const wants = ({ events }: Endpoint, eventType: string): boolean => events.includes(eventType);

/** The secrets that sign at that time, newest first. */
export const validSecrets = ({ secrets }: Endpoint, at: Date): readonly EndpointSecret[] =>
  secrets.filter(({ validUntil }) => validUntil === undefined || validUntil > at);

/** With a new secret. The one before it signs for another day, unless it is to end `now`. */
export const rotatedSecrets = (
  { secrets }: Endpoint,
  sealed: string,
  at: Date,
  { now }: { readonly now: boolean },
): EndpointSecret[] => {
  const before = { sealed: secrets[0]!.sealed, validUntil: new Date(at.getTime() + ROTATION_MS) };
  return [{ sealed }, ...(now ? [] : [before])];
};

/** What an attempt changes about its endpoint. */
export type EndpointChange =
  | { readonly kind: 'none' | 'works_again' }
  | { readonly kind: 'fails'; readonly since: Date }
  | { readonly kind: 'disabled'; readonly reason: Extract<DisabledReason, 'gone' | 'failing'> };

/** One success ends a series of failures; a receiver that says it is gone, or has taken nothing for five days, is disabled. */
export function afterAttempt(
  { failingSince }: Pick<Endpoint, 'failingSince'>,
  { at, status }: Pick<Attempt, 'at' | 'status'>,
): EndpointChange {
  if (isDelivered({ status })) return { kind: failingSince ? 'works_again' : 'none' };
  if (status === GONE) return { kind: 'disabled', reason: 'gone' };
  if (!failingSince) return { kind: 'fails', since: at };
  return at.getTime() - failingSince.getTime() > FAILING_LIMIT_MS
    ? { kind: 'disabled', reason: 'failing' }
    : { kind: 'none' };
}
