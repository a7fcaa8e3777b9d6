import { randomUUID } from 'node:crypto';
import type { Metadata, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { AppError } from '@invoicing/errors';
import { isTestScenario, isUuid } from '@invoicing/rules';
import { extractTrace } from '@invoicing/telemetry';
import { isIdentity, type Identity, type MethodAccess } from './access';
import type { ServerCallContext } from './call-context';
import { identityOfToken, type RpcIdentity } from './credentials';
import { actorOf, authorize, readPrincipal } from './principal';
import { UnreadableRequest } from './readable-request';

type Call = Pick<
  ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>,
  'metadata' | 'request' | 'getDeadline' | 'getAuthContext'
> & {
  on: (event: 'cancelled', listener: () => void) => unknown;
};

// A caller that sets no deadline gets this one: nothing runs for ever.
const DEFAULT_DEADLINE_MS = 30_000;

// Said at the end of every call, answered or not: made once, because a reason of its own would cost each call a stack trace.
const OVER = new AppError('unavailable', 'unavailable', 'the call is over');

/**
 * Proves who calls and gathers what travels with the call. Throws `unauthenticated`, `forbidden`, `absent` (another's organisation)
 * or `invalid`.
 */
export function contextOfCall(call: Call, identity: RpcIdentity, access: MethodAccess): ServerCallContext {
  const caller = authenticate(call, identity);
  if (call.request instanceof UnreadableRequest) throw call.request.error;
  const principal = readPrincipal(call.metadata, caller);
  authorize(access, caller, principal, call.request);
  const operationId = text(call.metadata, 'x-operation-id');
  if (operationId !== undefined && !isUuid(operationId)) {
    throw new AppError('invalid', 'validation', 'x-operation-id is not a lower-case UUID');
  }
  const dryRun = text(call.metadata, 'x-dry-run') !== undefined;
  if (dryRun && !access.dryRun) throw new AppError('invalid', 'validation', 'x-dry-run is not for this method');
  const testScenario = text(call.metadata, 'x-test-scenario');
  const controller = new AbortController();
  call.on('cancelled', () => controller.abort(OVER));
  const given = call.getDeadline();
  const deadline = given instanceof Date ? given.getTime() : Number(given);
  const traceparent = text(call.metadata, 'traceparent');
  return {
    caller,
    principal,
    by: actorOf(principal),
    requestId: text(call.metadata, 'x-request-id') ?? randomUUID(),
    operationId,
    dryRun,
    // One of a later version is none of ours.
    testScenario: testScenario !== undefined && isTestScenario(testScenario) ? testScenario : undefined,
    deadline: Number.isFinite(deadline) ? deadline : Date.now() + DEFAULT_DEADLINE_MS,
    signal: controller.signal,
    trace: extractTrace(traceparent ? { traceparent } : {}),
  };
}

/** Who calls, by certificate or token. Throws `unauthenticated` for anybody else. */
export function authenticate(
  call: Pick<Call, 'metadata' | 'getAuthContext'>,
  { tls, tokenHashes }: RpcIdentity,
): Identity {
  if (tls) {
    // Our authority may sign for others than us; and a token never makes up for a certificate.
    const name = call.getAuthContext()?.sslPeerCertificate?.subject?.CN;
    if (isIdentity(name)) return name;
  } else {
    const [scheme, token] = (text(call.metadata, 'authorization') ?? '').split(' ', 2);
    const found = scheme === 'Bearer' && token ? identityOfToken(tokenHashes, token) : undefined;
    if (found) return found;
  }
  throw new AppError('unauthenticated', 'unauthorized', 'a service token or client certificate is required');
}

function text(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
