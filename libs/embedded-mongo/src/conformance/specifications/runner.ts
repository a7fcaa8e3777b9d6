import { EJSON } from 'bson';
import { MongoClient, type Document } from 'mongodb';
import { driverDifferences } from './driver-differences';
import { Entities } from './entities';
import { assertError } from './expect-error';
import { assertMatches, Mismatch } from './match';
import { runOperation } from './operations';
import { serverFacts, unmet, type ServerFacts } from './requirements';
import { runOnTestRunner, type Surroundings } from './test-runner-operations';
import { Skipped, type CollectionData, type Operation, type TestCase, type TestFile, type Verdict } from './test-file';

/** Runs files of MongoDB's unified test format through the driver against one server. */
export class SpecificationRunner {
  private constructor(
    private readonly uri: string,
    private readonly internal: MongoClient,
    readonly facts: ServerFacts,
  ) {}

  static async connect(uri: string): Promise<SpecificationRunner> {
    const internal = await new MongoClient(uri, {
      readPreference: 'primary',
      writeConcern: { w: 'majority' },
    }).connect();
    return new SpecificationRunner(uri, internal, await serverFacts(internal));
  }

  close(): Promise<void> {
    return this.internal.close();
  }

  /** `name`: of the file, as the lists of failures and differences have it. */
  async run(suite: string, name: string, text: string): Promise<Verdict[]> {
    const file = EJSON.parse(text, { relaxed: true }) as TestFile;
    const verdicts: Verdict[] = [];
    for (const test of file.tests) {
      const verdict = { suite, name: `${name}: ${test.description}`, ...(await this.verdict(suite, file, test)) };
      verdicts.push(explained(verdict));
    }
    return verdicts;
  }

  private async verdict(suite: string, file: TestFile, test: TestCase): Promise<Pick<Verdict, 'result' | 'reason'>> {
    const missing =
      test.skipReason ?? unmet(file.runOnRequirements, this.facts) ?? unmet(test.runOnRequirements, this.facts);
    if (missing) return { result: 'skipped', reason: missing };
    if (!this.facts.testCommands && usesFailPoints(test))
      return { result: 'skipped', reason: 'needs fail points: a server that is started with test commands' };
    try {
      await this.runCase(suite, file, test);
      return { result: 'passed' };
    } catch (error) {
      if (error instanceof Skipped) return { result: 'skipped', reason: error.message };
      const { name, message } = error as Error;
      return { result: 'failed', reason: error instanceof Mismatch ? message : `${name}: ${message}` };
    }
  }

  private async runCase(suite: string, file: TestFile, test: TestCase): Promise<void> {
    const entities = new Entities(this.uri, !suite.startsWith('failover'));
    const around: Surroundings = {
      internal: this.internal,
      execute: (operation) => this.execute(entities, operation, around),
      failPointsSet: new Set(),
    };
    try {
      await this.fill(file.initialData);
      await entities.create(file.createEntities);
      for (const operation of test.operations) await around.execute(operation);
      for (const { client } of test.expectEvents ?? []) entities.eventsOf(client).stop();
      for (const expected of test.expectEvents ?? []) entities.eventsOf(expected.client).assert(expected, entities);
      await this.checkOutcome(test.outcome, entities);
    } finally {
      for (const name of around.failPointsSet)
        await this.internal.db('admin').command({ configureFailPoint: name, mode: 'off' });
      await entities.close();
    }
  }

  private async execute(entities: Entities, operation: Operation, around: Surroundings): Promise<void> {
    if (operation.object === 'testRunner') return runOnTestRunner(entities, operation, around);
    let result: unknown;
    try {
      result = await runOperation(entities, operation);
    } catch (error) {
      if (error instanceof Skipped) throw error;
      if (operation.ignoreResultAndError) return;
      if (!operation.expectError) throw error;
      return assertError(operation.expectError, error, entities);
    }
    if (operation.ignoreResultAndError) return;
    if (operation.expectError) throw new Mismatch(`${operation.name} was expected to fail`);
    if (operation.saveResultAsEntity !== undefined) entities.set(operation.saveResultAsEntity, result);
    if (operation.expectResult !== undefined)
      assertMatches(operation.expectResult, unwrapNull(operation.expectResult, result), entities, operation.name);
  }

  private async fill(initialData: CollectionData[] = []): Promise<void> {
    for (const { databaseName, collectionName, createOptions, documents } of initialData) {
      const db = this.internal.db(databaseName);
      await db.dropCollection(collectionName);
      if (createOptions || documents.length === 0) await db.createCollection(collectionName, createOptions as Document);
      if (documents.length > 0) await db.collection(collectionName).insertMany(documents.map((each) => ({ ...each })));
    }
  }

  private async checkOutcome(outcome: CollectionData[] = [], entities: Entities): Promise<void> {
    for (const { databaseName, collectionName, documents } of outcome) {
      const collection = this.internal.db(databaseName).collection(collectionName);
      const found = await collection.find({}, { sort: { _id: 1 }, readConcern: { level: 'local' } }).toArray();
      assertMatches(documents, found, entities, `outcome ${collectionName}`, false);
    }
  }
}

/** What fails because of the driver is no failure of the server. */
function explained(verdict: Verdict): Verdict {
  const difference = driverDifferences[`${verdict.suite}/${verdict.name}`];
  return verdict.result === 'failed' && difference ? { ...verdict, result: 'skipped', reason: difference } : verdict;
}

/** The driver says undefined or null where the format says null. */
const unwrapNull = (expected: unknown, result: unknown): unknown =>
  expected === null && result === undefined ? null : result;

const usesFailPoints = ({ operations }: TestCase): boolean => operations.some(({ name }) => name === 'failPoint');
