import { type MongoClient, type Document } from 'mongodb';
import { type Requirement } from './test-file';

/** What the server under test is, as far as test files ask. */
export interface ServerFacts {
  version: string;
  topology: 'single' | 'replicaset' | 'sharded';
  auth: boolean;
  /** Fail points can be set. */
  testCommands: boolean;
  /** It is this project's store. */
  embedded: boolean;
}

export async function serverFacts(client: MongoClient): Promise<ServerFacts> {
  const admin = client.db('admin');
  const hello: Document = await admin.command({ hello: 1 });
  const build: Document = await admin.command({ buildInfo: 1 });
  const status: Document = await admin.command({ connectionStatus: 1 });
  const testCommands = await admin.command({ configureFailPoint: 'failCommand', mode: 'off' }).then(
    () => true,
    () => false,
  );
  return {
    version: String(build.version),
    topology: hello.msg === 'isdbgrid' ? 'sharded' : hello.setName === undefined ? 'single' : 'replicaset',
    auth: (status.authInfo as Document).authenticatedUsers.length > 0,
    testCommands,
    embedded: (build.modules as string[] | undefined)?.includes('embedded-mongo') ?? false,
  };
}

/** Undefined when one of the requirements is met, as the format asks; else what is missing, of each. */
export function unmet(requirements: Requirement[] | undefined, facts: ServerFacts): string | undefined {
  if (!requirements || requirements.length === 0) return undefined;
  const reasons = requirements.map((requirement) => reasonAgainst(requirement, facts));
  return reasons.includes(undefined) ? undefined : `needs ${reasons.join(', or ')}`;
}

function reasonAgainst(requirement: Requirement, { version, topology, auth }: ServerFacts): string | undefined {
  const { minServerVersion: min, maxServerVersion: max, topologies } = requirement;
  if (min && compareVersions(version, min) < 0) return `a server of ${min} or later`;
  if (max && compareVersions(version, max) > 0) return `a server of ${max} or earlier`;
  const ours = topology === 'sharded' ? ['sharded', 'sharded-replicaset'] : [topology];
  if (topologies && !topologies.some((each) => ours.includes(each))) return `a topology of ${topologies.join(' or ')}`;
  if (requirement.auth !== undefined && requirement.auth !== auth) return `auth: ${requirement.auth}`;
  if (requirement.serverless === 'require') return 'a serverless instance';
  if (requirement.csfle) return 'client-side encryption';
  if (requirement.serverParameters) return `server parameters ${JSON.stringify(requirement.serverParameters)}`;
  return undefined;
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split('-')[0]!.split('.').map(Number)) as [number[], number[]];
  for (let i = 0; i < 3; i++) if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) - (y[i] ?? 0);
  return 0;
}
