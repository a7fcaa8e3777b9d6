import { type Static, type TSchema } from '@sinclair/typebox';
import { type Warning } from '@invoicing/errors';
import { type CallContext } from '@invoicing/rpc';
import { type KeyRecord } from '../keys/key-store';
import { type Scope } from '../keys/scopes';
import { type Services } from '../service-clients';

/** Who asks: an organisation through one of its keys. Empty organisation: platform billing. */
export interface Caller {
  readonly key: KeyRecord;
  readonly organizationId: string;
  /** The one profile that the key may see and use. */
  readonly profileId: string | undefined;
}

export interface CallInput<B> {
  readonly body: B;
  readonly caller: Caller;
  readonly context: CallContext;
  /** Tells the caller of something to look at, beside `data`. */
  readonly warn: (warnings: readonly Warning[]) => void;
  /** What a dry run says beside `data`: the row's `foreseen`. */
  readonly foresee: (foreseen: Readonly<Record<string, unknown>>) => void;
}

interface Described {
  readonly operationId: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
}

/** An operation that needs a key. One row is all there is to it: checks, documentation and generated tests read it. */
export interface Operation extends Described {
  /** Null: any organisation's key. */
  readonly scope: Scope | null;
  /** Only keys with the platform flag; all others only keys without it. */
  readonly platform: boolean;
  /** Every POST. */
  readonly idempotent: boolean;
  /** Fields of `data` that a dry run of a body makes up. */
  readonly examples: (body: never) => readonly string[];
  /** Schemas of what a dry run says beside `data`. */
  readonly foreseen: Readonly<Record<string, TSchema>>;
  /** Schema of the body; a GET has none. */
  readonly body: TSchema | undefined;
  /** Schema of `data` in the answer. */
  readonly data: TSchema;
  /** Codes beside those that every operation of its kind has. */
  readonly errors: readonly ('billing_readonly' | 'test_only')[];
  readonly call: (input: CallInput<never>, services: Services) => Promise<unknown>;
}

/** What an open operation may look at. */
export interface OpenPorts {
  readonly document: () => string;
  readonly health: () => Promise<{ status: number; data: unknown }>;
}

/** An operation that needs no key. */
export interface OpenOperation extends Described {
  readonly open: true;
  readonly cors: boolean;
  /** Schema of the whole answer; undefined: any object. */
  readonly answerSchema: TSchema | undefined;
  readonly statuses: readonly number[];
  readonly answer: (ports: OpenPorts) => Promise<{ status: number; body: string }>;
}

export type Route = Operation | OpenOperation;

export const isOpen = (route: Route): route is OpenOperation => 'open' in route;

type ReadRow<D extends TSchema> = Omit<Described, 'method'> & {
  scope: Scope | null;
  data: D;
  call: (input: CallInput<undefined>, services: Services) => Promise<Static<D>>;
};

/** A row that reads. */
export const read = <D extends TSchema>(row: ReadRow<D>): Operation => ({
  ...row,
  method: 'GET',
  platform: false,
  idempotent: false,
  examples: () => [],
  foreseen: {},
  body: undefined,
  errors: [],
});

type CreateRow<B extends TSchema, D extends TSchema> = Omit<Described, 'method'> & {
  scope: Scope;
  platform?: boolean;
  body: B;
  data: D;
  examples: (body: Static<B>) => readonly (keyof Static<D> & string)[];
  foreseen?: Operation['foreseen'];
  errors?: Operation['errors'];
  call: (input: CallInput<Static<B>>, services: Services) => Promise<Static<D>>;
};

/** A row that creates. */
export const create = <B extends TSchema, D extends TSchema>(row: CreateRow<B, D>): Operation => ({
  ...row,
  method: 'POST',
  platform: row.platform ?? false,
  idempotent: true,
  foreseen: row.foreseen ?? {},
  errors: row.errors ?? [],
});
