import { AppError } from '@invoicing/errors';
import { identities, openChannel, type Identity } from '@invoicing/rpc';
import { methodsOfTable } from './access-table';
import { testCall } from './call';
import { testIdentity } from './test-identity';

type Outcome = 'admitted' | 'forbidden' | 'unauthenticated' | 'not served';
type Call = (request: unknown, context: ReturnType<typeof testCall>) => Promise<unknown> | AsyncIterable<unknown>;

const STRANGER = 'stranger';
const UNIMPLEMENTED = 12;

/**
 * Calls every method of a package (`invoicing.billing.v1`) that listens on this machine's `port`, with an empty request, as every
 * identity and as a stranger. Answers where it differs from the table, in words; nothing when all is as it should be.
 */
export async function accessFaults(packageName: string, port: number): Promise<string[]> {
  const methods = methodsOfTable.filter(({ path }) => path.startsWith(`/${packageName}.`));
  if (methods.length === 0) throw new Error(`${packageName} is not in the table`);
  const faults: string[] = [];
  for (const caller of [...identities, STRANGER] as const) {
    const channel = openChannel(`127.0.0.1:${port}`, testIdentity(caller));
    for (const { definition, name, path, callers } of methods) {
      const call = channel.client(definition)[name] as Call;
      const outcome = await outcomeOf(call, definition[name]!.requestDeserialize(Buffer.alloc(0)));
      const expected = caller === STRANGER ? 'unauthenticated' : wanted(callers, caller);
      if (outcome !== expected) faults.push(`${path} as ${caller}: ${outcome}, not ${expected}`);
    }
    channel.close();
  }
  return faults;
}

const wanted = (callers: readonly Identity[], caller: Identity): Outcome =>
  callers.includes(caller) ? 'admitted' : 'forbidden';

async function outcomeOf(call: Call, request: unknown): Promise<Outcome> {
  try {
    const answer = call(request, testCall());
    if (Symbol.asyncIterator in answer) for await (const _message of answer) break;
    else await answer;
    return 'admitted';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind === 'forbidden' || error.kind === 'unauthenticated') return error.kind;
    return (error.cause as { code?: number } | undefined)?.code === UNIMPLEMENTED ? 'not served' : 'admitted';
  }
}
