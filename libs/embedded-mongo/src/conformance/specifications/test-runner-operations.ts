import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, type MongoClient } from 'mongodb';
import { isDeepStrictEqual } from 'node:util';
import { type Entities } from './entities';
import { Mismatch } from './match';
import { Skipped, type Operation } from './test-file';

const waitForEventMs = 10_000;

/** What the operations on `testRunner` need beside the entities. */
export interface Surroundings {
  /** The runner's own client, which no test observes. */
  internal: MongoClient;
  /** Runs an operation with its expectations. */
  execute: (operation: Operation) => Promise<void>;
  failPointsSet: Set<string>;
}

interface TopologyDescription {
  servers: Map<string, { type: string; electionId: { toString: () => string } | null }>;
}

/** The primary's election, which differs after every change. */
function primaryOf({ servers }: TopologyDescription): { electionId: string | undefined } {
  const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary');
  return { electionId: primary?.electionId?.toString() };
}

interface Thread {
  tail: Promise<void>;
}

export async function runOnTestRunner(
  entities: Entities,
  { name, arguments: args = {} }: Operation,
  around: Surroundings,
): Promise<void> {
  const check = (holds: boolean, what: string): void => {
    if (!holds) throw new Mismatch(`${name}: ${what}`);
  };
  switch (name) {
    case 'failPoint': {
      const failPoint = args.failPoint as Document;
      around.failPointsSet.add(failPoint.configureFailPoint as string);
      await entities
        .client(args.client as string)
        .db('admin')
        .command(failPoint);
      return;
    }
    case 'createEntities':
      return entities.create(args.entities as Document[] as Record<string, Document>[]);
    case 'wait':
      await sleep(args.ms as number);
      return;
    case 'waitForEvent': {
      const until = Date.now() + waitForEventMs;
      const count = (): number => entities.eventsOf(args.client as string).count(args.event as Document, entities);
      while (count() < (args.count as number)) {
        check(Date.now() < until, `${JSON.stringify(args.event)} came ${count()} times, not ${args.count}`);
        await sleep(20);
      }
      return;
    }
    case 'assertEventCount': {
      const count = entities.eventsOf(args.client as string).count(args.event as Document, entities);
      return check(count === args.count, `${JSON.stringify(args.event)} came ${count} times, not ${args.count}`);
    }
    case 'runOnThread': {
      const thread = entities.get(args.thread as string) as Thread;
      thread.tail = thread.tail.then(() => around.execute(args.operation as Operation));
      thread.tail.catch(() => undefined); // waitForThread reports it
      return;
    }
    case 'waitForThread':
      return (entities.get(args.thread as string) as Thread).tail;
    case 'assertCollectionExists':
    case 'assertCollectionNotExists': {
      const db = around.internal.db(args.databaseName as string);
      const found = await db.listCollections({ name: args.collectionName as string }).toArray();
      return check(found.length > 0 === (name === 'assertCollectionExists'), `${args.collectionName}`);
    }
    case 'assertIndexExists':
    case 'assertIndexNotExists': {
      const collection = around.internal.db(args.databaseName as string).collection(args.collectionName as string);
      const exists = await collection.indexExists(args.indexName as string).catch(() => false);
      return check(exists === (name === 'assertIndexExists'), `${args.indexName}`);
    }
    case 'assertSameLsidOnLastTwoCommands':
    case 'assertDifferentLsidOnLastTwoCommands': {
      const [a, b] = entities.eventsOf(args.client as string).started.slice(-2);
      check(b !== undefined, 'there are no two commands');
      const same = isDeepStrictEqual(a!.command.lsid, b!.command.lsid);
      return check(same === (name === 'assertSameLsidOnLastTwoCommands'), 'the sessions of the last two commands');
    }
    case 'assertSessionDirty':
    case 'assertSessionNotDirty': {
      const { serverSession } = entities.session(args.session as string);
      return check(serverSession.isDirty === (name === 'assertSessionDirty'), `isDirty is ${serverSession.isDirty}`);
    }
    case 'recordTopologyDescription': {
      const description = topologyOf(entities.client(args.client as string));
      return entities.set(args.id as string, description);
    }
    case 'waitForPrimaryChange': {
      const { electionId } = primaryOf(entities.get(args.priorTopologyDescription as string) as TopologyDescription);
      const until = Date.now() + ((args.timeoutMS as number | undefined) ?? waitForEventMs);
      const isNew = (): boolean => {
        const now = primaryOf(topologyOf(entities.client(args.client as string)));
        return now.electionId !== undefined && now.electionId !== electionId;
      };
      while (!isNew()) {
        check(Date.now() < until, 'the primary stays the same');
        await sleep(20);
      }
      return;
    }
    case 'assertTopologyType': {
      const { type } = entities.get(args.topologyDescription as string) as Document;
      return check(type === args.topologyType, `it is ${String(type)}`);
    }
    default:
      throw new Skipped(`operation ${name} is not run by this runner`);
  }
}

/** The driver shows its topology only inside. */
function topologyOf(client: MongoClient): TopologyDescription {
  const { topology } = client as unknown as { topology: { description: TopologyDescription } };
  return topology.description;
}
