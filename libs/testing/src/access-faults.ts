import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError } from '@invoicing/errors';
import {
  identities,
  openChannel,
  type CallContext,
  type Identity,
  type MethodAccess,
  type RpcChannel,
} from '@invoicing/rpc';
import { mayDo, roles, type Role } from '@invoicing/rules';
import { methodsOfTable } from './access-table';
import { testCall } from './call';
import { testIdentity } from './test-identity';

type Outcome = 'admitted' | 'forbidden' | 'unauthenticated' | 'absent' | 'not served';
type Method = (typeof methodsOfTable)[number];
type Call = (request: unknown, context: CallContext) => Promise<unknown> | AsyncIterable<unknown>;

const STRANGER = 'stranger';
const UNIMPLEMENTED = 12;

/**
 * Calls every method of a package (`invoicing.billing.v1`) that listens on this machine's `port`, with an otherwise empty request: as
 * every identity and as a stranger, and through the application for a person of every role, in their own and in a foreign organisation.
 * Answers where it differs from the table, in words; nothing when all is as it should be.
 */
export async function accessFaults(packageName: string, port: number): Promise<string[]> {
  const methods = methodsOfTable.filter(({ path }) => path.startsWith(`/${packageName}.`));
  if (methods.length === 0) throw new Error(`${packageName} is not in the table`);
  const faults: string[] = [];
  const open = (name: string): RpcChannel => openChannel(`127.0.0.1:${port}`, testIdentity(name));
  const check = (who: string, { path }: Method, outcome: Outcome, expected: readonly Outcome[]): void => {
    if (!expected.includes(outcome)) faults.push(`${path} as ${who}: ${outcome}, not ${expected.join(' or ')}`);
  };

  for (const caller of [...identities, STRANGER] as const) {
    const channel = open(caller);
    for (const method of methods) {
      const expected = caller === STRANGER ? ['unauthenticated' as const] : wanted(method, caller);
      check(caller, method, await outcomeOf(channel, method, {}, testCall()), expected);
    }
    channel.close();
  }

  const application = open('application');
  const own = { organizationId: randomUUID() };
  for (const role of roles)
    for (const method of methods) {
      const person = () => testCall({ principal: { service: 'application', ...own, userId: randomUUID(), role } });
      check(role, method, await outcomeOf(application, method, own, person()), wantedOf(method, role));
      if (!method.callers.includes('application')) continue;
      const foreign = await outcomeOf(application, method, { organizationId: randomUUID() }, person());
      check(`${role} elsewhere`, method, foreign, ['absent']);
      check(`${role} nowhere`, method, await outcomeOf(application, method, {}, person()), ['absent']);
    }
  application.close();
  return faults;
}

// What a handler does not find is admitted, too.
const ADMITTED = ['admitted', 'absent'] as const;

const wanted = ({ callers, action }: MethodAccess, caller: Identity): readonly Outcome[] =>
  callers.includes(caller) && !(caller === 'application' && action) ? ADMITTED : ['forbidden'];

function wantedOf({ callers, action }: MethodAccess, role: Role): readonly Outcome[] {
  if (!callers.includes('application')) return ['forbidden'];
  // The application's own: a person is refused, by the role or because the request names no organisation.
  if (!action) return ['forbidden', 'absent'];
  return mayDo(role, action) ? ADMITTED : ['forbidden'];
}

async function outcomeOf(
  channel: RpcChannel,
  { definition, name }: Method,
  fields: object,
  context: CallContext,
): Promise<Outcome> {
  const call = channel.client(definition)[name] as Call;
  try {
    const request: unknown = { ...definition[name]!.requestDeserialize(Buffer.alloc(0)), ...fields };
    const answer = call(definition[name]!.requestStream ? Readable.from([request]) : request, context);
    if (Symbol.asyncIterator in answer) for await (const _message of answer) break;
    else await answer;
    return 'admitted';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, cause } = error;
    if (kind === 'forbidden' || kind === 'unauthenticated' || kind === 'absent') return kind;
    return (cause as { code?: number } | undefined)?.code === UNIMPLEMENTED ? 'not served' : 'admitted';
  }
}
