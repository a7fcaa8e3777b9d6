import { AppError } from '@invoicing/errors';
import { openChannel, type CallContext } from '@invoicing/rpc';
import { methodsOfTable } from './access-table';
import { testCall } from './call';
import { testIdentity } from './test-identity';

type Call = (request: unknown, context: CallContext) => Promise<unknown>;

/** Asks every list of a package that listens on this machine's `port` for too few and for too many. Answers those that do not refuse. */
export async function limitFaults(packageName: string, port: number): Promise<string[]> {
  const faults: string[] = [];
  for (const row of methodsOfTable.filter((each) => each.path.startsWith(`/${packageName}.`))) {
    const { definition, name, path, callers } = row;
    const request = definition[name]!.requestDeserialize(Buffer.alloc(0)) as object;
    if (!('limit' in request)) continue;
    const caller = callers.includes('admin') ? 'admin' : callers[0]!;
    const channel = openChannel(`127.0.0.1:${port}`, testIdentity(caller));
    for (const limit of [-1, 1_001, 2 ** 31 - 1]) {
      const ids = 'organizationId' in request ? { organizationId: '0f8fad5b-d9cb-469f-a165-70867728950e' } : {};
      const call = channel.client(definition)[name] as Call;
      const outcome = await call({ ...request, ...ids, limit }, testCall()).then(
        () => 'answered',
        (error: unknown) => (error instanceof AppError ? error.details?.[0]?.path : String(error)),
      );
      if (outcome !== '/limit') faults.push(`${path} with ${limit}: ${outcome}`);
    }
    channel.close();
  }
  return faults;
}
