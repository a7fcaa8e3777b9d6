import { mkdtemp, rm } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startEmbeddedMongo } from '../index';
import { specificationFiles, unifiedSuites } from './specifications/archive';
import { runBsonCorpus } from './specifications/bson-corpus';
import { knownFailures } from './specifications/known-failures';
import { report } from './specifications/report';
import { SpecificationRunner } from './specifications/runner';
import { type Verdict } from './specifications/test-file';

/**
 * MongoDB's own specification tests, on the embedded store or, with MONGODB_URI set, on that server. CONFORMANCE_FILE: where
 * the verdicts go as JSON.
 */
const files = specificationFiles();
const server = process.env.MONGODB_URI;
const verdicts: Verdict[] = [];
// A case may wait for a primary, or for events, as long as its file says.
jest.setTimeout(60_000);

if (typeof files === 'string') {
  const skipped = `SKIPPED MongoDB's specification tests: ${files}`;
  if (process.env.CI) throw new Error(skipped);
  process.stderr.write(`${skipped}\n`);
  test.skip(skipped, () => undefined);
} else {
  let uri: string;
  let runner: SpecificationRunner;
  let client: MongoClient;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    const embedded = server ? undefined : await startEmbeddedMongo({ folder, testCommands: true });
    uri = embedded?.uri ?? server!;
    runner = await SpecificationRunner.connect(uri);
    client = await new MongoClient(uri).connect();
    stop = async () => {
      await runner.close();
      await client.close();
      await embedded?.close();
      await rm(folder, { recursive: true, force: true });
    };
  });
  afterAll(async () => {
    await stop();
    process.stderr.write(`${report(verdicts, runner.facts.embedded).join('\n')}\n`);
    if (process.env.CONFORMANCE_FILE) writeFileSync(process.env.CONFORMANCE_FILE, JSON.stringify(verdicts));
  });

  const judge = (found: Verdict[]): void => {
    verdicts.push(...found);
    const failed = found.filter(({ result }) => result === 'failed');
    const unexpected = failed.filter(({ suite, name }) => !runner.facts.embedded || !knownFailures[`${suite}/${name}`]);
    expect(unexpected.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([]);
    const passing = found.filter(({ suite, name, result }) => result !== 'failed' && knownFailures[`${suite}/${name}`]);
    if (runner.facts.embedded) expect(passing.map(({ name }) => `${name} is no known failure any more`)).toEqual([]);
  };

  for (const suite of unifiedSuites) {
    describe(suite, () => {
      test.each(files.of(suite).map(({ name, text }) => [name, text]))('%s', async (name, text) => {
        judge(await runner.run(suite, name, text));
      });
    });
  }

  describe('BSON corpus', () => {
    test.each(files.of('BSON corpus').map(({ name, text }) => [name, text]))('%s', async (name, text) => {
      judge(await runBsonCorpus(client, runner.facts.embedded, name, text));
    });
  });

  test('every known failure names a case that there is', () => {
    const names = new Set(verdicts.map(({ suite, name }) => `${suite}/${name}`));
    expect(Object.keys(knownFailures).filter((name) => !names.has(name))).toEqual([]);
  });
}
