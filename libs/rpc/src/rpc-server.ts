import {
  Server,
  type ServerCredentials,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { AppError } from '@invoicing/errors';
import { SpanKind, inSpan, rpcDuration, type Logger } from '@invoicing/telemetry';
import type { MethodAccess, ServiceAccess } from './access';
import type { ServerCallContext } from './call-context';
import { serverCredentials, type RpcIdentity } from './credentials';
import { drained } from './drained';
import { addHealth, addReflection } from './introspection';
import { MESSAGE_LIMIT_BYTES } from './rpc-client';
import { readable, UnreadableRequest } from './readable-request';
import { authenticate, contextOfCall } from './server-call';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './service-definition';
import { statusOfError } from './status';

/** What a service does: async functions that return or throw. Of a stream of requests the first names the organisation. */
export type Handlers<D extends ServiceDefinition> = {
  readonly [M in keyof D]: D[M]['requestStream'] extends true
    ? (requests: AsyncIterable<RequestOf<D[M]>>, context: ServerCallContext) => Promise<ResponseOf<D[M]>>
    : D[M]['responseStream'] extends true
      ? (request: RequestOf<D[M]>, context: ServerCallContext) => AsyncIterable<ResponseOf<D[M]>>
      : (request: RequestOf<D[M]>, context: ServerCallContext) => Promise<ResponseOf<D[M]>>;
};

/** A service, its handlers, and who may call each. */
export interface BoundService {
  readonly definition: ServiceDefinition;
  readonly handlers: Record<string, unknown>;
  readonly access: Readonly<Record<string, MethodAccess>>;
}

/** Ties handlers to a generated service definition, and says of each method who may call it: nobody else may. */
export const bindService = <D extends ServiceDefinition>(
  definition: D,
  handlers: Handlers<D>,
  access: ServiceAccess<D>,
): BoundService => ({ definition, handlers: handlers as Record<string, unknown>, access });

/** Where a server listens, and what it serves. */
export interface RpcServerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: readonly BoundService[];
  readonly identity: RpcIdentity;
  readonly log: Logger;
  /** Asked for each health check; a false answer is NOT_SERVING. */
  readonly isHealthy: () => boolean;
}

/** A server that listens. */
export interface RpcServer {
  readonly port: number;
  /** Lets calls in flight finish, then closes. */
  close: () => Promise<void>;
}

const CONNECTION_AGE_MS = 300_000;
// Longer than any call may take: an export of all documents of a year is one.
const CONNECTION_GRACE_MS = 6 * 3_600_000;

/** Serves gRPC with health, reflection, identities, deadlines, one log line and one metric a call. */
export async function serveRpc(options: RpcServerOptions): Promise<RpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_LIMIT_BYTES,
    'grpc.max_send_message_length': MESSAGE_LIMIT_BYTES,
    'grpc.max_concurrent_streams': 1_000,
    // Nobody reads its statistics of every call; ours are in the metrics.
    'grpc.enable_channelz': 0,
    // Callers look the name up again when a connection ends: so they find new replicas.
    'grpc.max_connection_age_ms': CONNECTION_AGE_MS,
    'grpc.max_connection_age_grace_ms': CONNECTION_GRACE_MS,
  });
  for (const { definition, handlers, access } of options.services) {
    const implementation: Record<string, UntypedHandleCall> = {};
    for (const [name, method] of Object.entries(definition)) {
      const handler = handlers[name] as (request: unknown, context: ServerCallContext) => unknown;
      const handlerOf = method.requestStream ? uploadHandler : method.responseStream ? streamHandler : unaryHandler;
      implementation[name] = handlerOf(method, handler as never, access[name]!, options);
    }
    server.addService(readable(definition), implementation);
  }
  addHealth(server, options.isHealthy);
  addReflection(server, options.identity, options.services.map(nameOf));

  const port = await bind(server, `${options.host}:${options.port}`, serverCredentials(options.identity));
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.forceShutdown(), 5_000);
        server.tryShutdown(() => {
          clearTimeout(force);
          resolve();
        });
      }),
  };
}

/** `/invoicing.catalog.v1.Catalog/ListCustomers` → `invoicing.catalog.v1.Catalog`. */
const nameOf = ({ definition }: BoundService): string => Object.values(definition)[0]?.path.split('/')[1] ?? '';

const bind = (server: Server, address: string, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) =>
    server.bindAsync(address, credentials, (error, port) =>
      error ? reject(new Error(`cannot listen on ${address}: ${error.message}`)) : resolve(port),
    ),
  );

type Method = MethodDefinition<unknown, unknown>;
type Options = Pick<RpcServerOptions, 'identity' | 'log'>;

function unaryHandler(
  method: Method,
  handler: (request: unknown, context: ServerCallContext) => Promise<unknown>,
  access: MethodAccess,
  options: Options,
) {
  return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): void => {
    const observed = observe(method.path, options.log);
    Promise.resolve()
      .then(() => {
        const context = observed.begin(contextOfCall(call, options.identity, access));
        return inSpan(method.path, SpanKind.SERVER, context.trace, (trace) =>
          handler(call.request, { ...context, trace }),
        );
      })
      .then(
        (response) => {
          observed.end();
          callback(null, response);
        },
        (error: unknown) => {
          observed.end(error);
          callback(statusOfError(error));
        },
      );
  };
}

/** A stream of requests, one answer. Who may send it is decided by its first message, which the handler gets with the rest. */
function uploadHandler(
  method: Method,
  handler: (requests: AsyncIterable<unknown>, context: ServerCallContext) => Promise<unknown>,
  access: MethodAccess,
  options: Options,
) {
  return (call: ServerReadableStream<unknown, unknown>, callback: sendUnaryData<unknown>): void => {
    const observed = observe(method.path, options.log);
    const answer = async (): Promise<unknown> => {
      // Nobody who is not known keeps a stream open.
      authenticate(call, options.identity);
      const messages = call[Symbol.asyncIterator]() as AsyncIterator<unknown, undefined>;
      const first = await messages.next();
      const request = first.done ? method.requestDeserialize(Buffer.alloc(0)) : first.value;
      const { metadata } = call;
      const begun = contextOfCall(
        {
          ...{ metadata, request, on: (event, listener) => call.on(event, listener) },
          ...{ getDeadline: () => call.getDeadline(), getAuthContext: () => call.getAuthContext() },
        },
        options.identity,
        access,
      );
      const context = observed.begin(begun);
      return inSpan(method.path, SpanKind.SERVER, context.trace, (trace) =>
        handler(requestsOf(request, messages), { ...context, trace }),
      );
    };
    answer().then(
      (response) => {
        observed.end();
        callback(null, response);
      },
      (error: unknown) => {
        observed.end(error);
        callback(statusOfError(error));
      },
    );
  };
}

async function* requestsOf(first: unknown, rest: AsyncIterator<unknown, undefined>): AsyncIterable<unknown> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    if (next.value instanceof UnreadableRequest) throw next.value.error;
    yield next.value;
  }
}

function streamHandler(
  method: Method,
  handler: (request: unknown, context: ServerCallContext) => AsyncIterable<unknown>,
  access: MethodAccess,
  options: Options,
) {
  return (call: ServerWritableStream<unknown, unknown>): void => {
    const observed = observe(method.path, options.log);
    const pump = async (): Promise<void> => {
      const context = observed.begin(contextOfCall(call, options.identity, access));
      for await (const message of handler(call.request, context)) {
        if (context.signal.aborted) return;
        if (!call.write(message)) await drained(call, context.signal);
      }
    };
    pump().then(
      () => {
        observed.end();
        call.end();
      },
      (error: unknown) => {
        observed.end(error);
        call.emit('error', statusOfError(error));
      },
    );
  };
}

/** One log line and one metric for a call, however it ends. */
function observe(method: string, log: Logger) {
  const startedAt = performance.now();
  let context: ServerCallContext | undefined;
  return {
    begin: (made: ServerCallContext): ServerCallContext => (context = made),
    end: (error?: unknown): void => {
      const code = error === undefined ? 'ok' : error instanceof AppError ? error.code : 'generic';
      const durationMs = performance.now() - startedAt;
      rpcDuration.observe({ method, code }, durationMs / 1000);
      const line = {
        method,
        code,
        durationMs: Math.round(durationMs * 10) / 10,
        requestId: context?.requestId,
        caller: context?.caller,
        by: context && `${context.by.kind}:${context.by.id}`,
      };
      const unexpected = error !== undefined && (!(error instanceof AppError) || error.kind === 'internal');
      if (unexpected) log.error({ ...line, error }, 'call failed');
      else log.info(line, 'call');
    },
  };
}
