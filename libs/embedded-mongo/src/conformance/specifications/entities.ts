import os from 'node:os';
import {
  MongoClient,
  ReadPreference,
  type AbstractCursor,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type ReadPreferenceMode,
} from 'mongodb';
import { CommandEvents } from './command-events';
import { Skipped, type EntitySpec } from './test-file';

/** Everything that a test case names. */
export class Entities {
  private readonly values = new Map<string, unknown>();
  private readonly events = new Map<string, CommandEvents>();
  private readonly lsids = new Map<string, Document>();
  private readonly clients: MongoClient[] = [];

  /** `polling`: clients ask for the topology as soon as they miss something, where no test looks at how they do it. */
  constructor(
    private readonly uri: string,
    private readonly polling: boolean,
  ) {}

  get(name: string): unknown {
    if (!this.values.has(name)) throw new Error(`the test names no entity ${name}`);
    return this.values.get(name);
  }

  set(name: string, value: unknown): void {
    this.values.set(name, value);
  }

  client = (name: string): MongoClient => this.get(name) as MongoClient;
  database = (name: string): Db => this.get(name) as Db;
  collection = (name: string): Collection => this.get(name) as Collection;
  session = (name: string): ClientSession => this.get(name) as ClientSession;
  cursor = (name: string): AbstractCursor => this.get(name) as AbstractCursor;

  eventsOf(client: string): CommandEvents {
    return this.events.get(client)!;
  }

  /** As it was when the session was made: an ended session forgets its id. */
  lsidOf(session: string): Document {
    return this.lsids.get(session)!;
  }

  async create(specs: EntitySpec[] = []): Promise<void> {
    for (const spec of specs) {
      const [[kind, details]] = Object.entries(spec) as [[string, Document]];
      this.set(details.id as string, await this.make(kind, details));
    }
  }

  private async make(kind: string, details: Document): Promise<unknown> {
    switch (kind) {
      case 'client':
        return this.makeClient(details);
      case 'database':
        return this.client(details.client as string).db(
          details.databaseName as string,
          optionsOf(details.databaseOptions),
        );
      case 'collection':
        return this.database(details.database as string).collection(
          details.collectionName as string,
          optionsOf(details.collectionOptions),
        );
      case 'session': {
        const session = this.client(details.client as string).startSession(optionsOf(details.sessionOptions));
        this.lsids.set(details.id as string, session.id as Document);
        return session;
      }
      case 'thread':
        return { tail: Promise.resolve() };
      default:
        throw new Skipped(`entities of kind ${kind} are not run by this runner`);
    }
  }

  private async makeClient(details: Document): Promise<MongoClient> {
    if (details.autoEncryptOpts) throw new Skipped('client-side encryption is not run by this runner');
    if (details.observeLogMessages) throw new Skipped('log messages are not observed by this runner');
    const client = new MongoClient(
      withOptions(this.uri, {
        serverSelectionTimeoutMS: 5_000,
        ...(this.polling && { serverMonitoringMode: 'poll' }),
        ...(details.uriOptions as Document | undefined),
      }),
      {
        monitorCommands: true,
        ...(this.polling && { minHeartbeatFrequencyMS: fastHeartbeatMs }),
        // The driver imports it lazily, which the test runner's sandbox refuses.
        runtimeAdapters: { os },
        ...(details.serverApi && { serverApi: details.serverApi as Document as { version: '1' } }),
      },
    );
    this.events.set(details.id as string, new CommandEvents(client, details));
    this.clients.push(client);
    return client.connect();
  }

  async close(): Promise<void> {
    for (const value of this.values.values()) {
      const open = value as { close?: () => Promise<void>; tail?: Promise<void> } | null;
      if (open && typeof open === 'object' && !(value instanceof MongoClient) && typeof open.close === 'function')
        await open.close().catch(() => undefined); // its client is closed next
    }
    for (const client of this.clients) await client.close();
  }
}

/** How soon a client looks again for a primary that it lost: half a second, by default, a test. */
const fastHeartbeatMs = 20;

function withOptions(uri: string, options: Document = {}): string {
  const [base, query = ''] = (uri.includes('?') ? uri : `${uri.replace(/\/?$/, '/')}?`).split('?') as [string, string?];
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(options)) parameters.set(name, String(value));
  return `${base}?${parameters.toString()}`;
}

/** Read preference, concerns and the rest as the driver takes them. */
export function optionsOf(given: Document | undefined): Document {
  const { readPreference, ...rest } = given ?? {};
  const { mode, tagSets, maxStalenessSeconds, hedge } = (readPreference ?? {}) as Document;
  if (mode === undefined) return rest;
  const preference = new ReadPreference(mode as ReadPreferenceMode, tagSets as Document[] | undefined, {
    ...(maxStalenessSeconds !== undefined && { maxStalenessSeconds: maxStalenessSeconds as number }),
    ...(hedge && { hedge: hedge as Document }),
  });
  return { ...rest, readPreference: preference };
}
