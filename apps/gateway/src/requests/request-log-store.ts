import { randomUUID } from 'node:crypto';
import {
  NEWEST_FIRST,
  declareCollection,
  nativeCollection,
  newestPage,
  openCollection,
  required,
  type Connection,
  type Page,
} from '@invoicing/mongo';
import { keptMs } from '@invoicing/rules';

/** A request of a program, as its organisation may look it up: never what was said, or what stood behind a `?`. */
export interface LoggedRequest {
  readonly _id: string;
  readonly organizationId: string;
  readonly requestId: string;
  /** When it began. */
  readonly createdAt: Date;
  readonly method: string;
  /** The operation's path, or `other`. */
  readonly path: string;
  /** 0: its sender left before there was an answer. */
  readonly status: number;
  /** Error code; empty when there was none. */
  readonly code: string;
  readonly durationMs: number;
  /** Empty: unknown. */
  readonly keyId: string;
}

const requests = declareCollection<LoggedRequest>('requests', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    requestId: required(String),
    createdAt: required(Date),
    method: required(String),
    path: required(String),
    status: required(Number),
    code: required(String),
    durationMs: required(Number),
    keyId: required(String),
  },
  indexes: [
    [{ organizationId: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, requestId: 1 }],
    [{ createdAt: 1 }, { expireAfterSeconds: keptMs('requestLog') / 1_000 }],
  ],
});

const FIRST_ERROR = 400;

export interface RequestFilter {
  readonly organizationId: string;
  readonly requestId?: string | undefined;
  /** Only those that failed. */
  readonly failed?: boolean | undefined;
}

export type RequestLogStore = Awaited<ReturnType<typeof openRequestLog>>;

/** The requests of the last days. */
export async function openRequestLog(connection: Connection) {
  const model = await openCollection(connection, requests);
  // Many a second, and a lost one harms nobody: past the model, and not flushed to disk each time.
  const native = nativeCollection(model, { writeConcern: { w: 1, journal: false } });
  return {
    insertMany: async (batch: readonly Omit<LoggedRequest, '_id'>[]): Promise<void> => {
      const documents = batch.map((each) => ({ _id: randomUUID(), ...each }));
      if (documents.length > 0) await native.insertMany(documents, { ordered: false });
    },
    page: (
      { organizationId, requestId, failed }: RequestFilter,
      limit: number,
      cursor: string | undefined,
    ): Promise<Page<LoggedRequest>> =>
      newestPage<LoggedRequest>(
        model,
        {
          organizationId,
          ...(requestId !== undefined && { requestId }),
          ...(failed && { status: { $gte: FIRST_ERROR } }),
        },
        { limit, cursor },
      ),
  };
}
