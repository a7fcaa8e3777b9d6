import { type TSchema } from '@sinclair/typebox';
import { type CallContext } from '@invoicing/rpc';
import { type RequestLogStore } from '../requests/request-log-store';
import { streamedEvent, streamedRequest } from '../schemas/sandbox';
import { type Services } from '../service-clients';

/** One thing that a stream tells. */
export interface Told {
  /** The same however often it is told. */
  readonly id: string;
  readonly at: Date;
  readonly data: unknown;
}

/** What streams are read from. */
export interface StreamPorts {
  readonly testEvents: Services['testEvents'];
  readonly requests: Pick<RequestLogStore, 'page'>;
}

/** A list that is read again and again, and of which only what is new is told. */
export interface Stream {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Schema of the `data` of each event. */
  readonly data: TSchema;
  /** What was written since, in whatever order; what was told before may be among it. */
  readonly read: (ports: StreamPorts, organizationId: string, since: Date, context: CallContext) => Promise<Told[]>;
}

const PAGE = 100;

/** What a test organisation can follow. */
export const streams: readonly Stream[] = [
  {
    path: '/api/v1/sandbox/events',
    operationId: 'followEvents',
    summary: 'Follow the webhooks of a test organisation',
    data: streamedEvent,
    read: async ({ testEvents }, organizationId, since, context) => {
      const { events } = await testEvents.listTestEvents({ organizationId, since }, context);
      return events.map(({ id, type, body, at }) => ({ id, at: at!, data: { id, type, body } }));
    },
  },
  {
    path: '/api/v1/sandbox/requests',
    operationId: 'followRequests',
    summary: 'Follow what programs ask of the API',
    data: streamedRequest,
    read: async ({ requests }, organizationId, since) => {
      const { items } = await requests.page({ organizationId }, PAGE, undefined);
      return items
        .filter(({ createdAt }) => createdAt >= since)
        .map(({ _id: id, requestId, createdAt: at, method, path, status, code, durationMs }) => ({
          ...{ id, at },
          data: { at: at.toISOString(), method, path, status, code, durationMs, requestId },
        }));
    },
  },
];

/** What is new among what was read, oldest first; remembers it. `told`: ids by when they were told. */
export function newOf(found: readonly Told[], told: Map<string, number>, now: number, forgetMs: number): Told[] {
  for (const [id, at] of told) if (now - at > forgetMs) told.delete(id);
  const fresh = found.filter(({ id }) => !told.has(id)).sort((one, other) => one.at.getTime() - other.at.getTime());
  for (const { id } of fresh) told.set(id, now);
  return fresh;
}
