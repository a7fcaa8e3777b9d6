import { Client, Metadata, status, type ClientOptions, type MetadataOptions, type ServiceError } from '@grpc/grpc-js';
import { AppError } from '@invoicing/errors';
import { SpanKind, inSpan, injectTrace } from '@invoicing/telemetry';
import { newCallContext, type CallContext } from './call-context';
import { Circuit } from './circuit';
import { channelCredentials, type RpcIdentity } from './credentials';
import { drained } from './drained';
import { writePrincipal } from './principal';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './service-definition';
import { errorOfStatus } from './status';

/** The methods of a service as async functions; streams as async iterables, either way. Errors are AppErrors. */
export type RpcClient<D extends ServiceDefinition> = {
  readonly [M in keyof D]: D[M]['requestStream'] extends true
    ? (requests: AsyncIterable<RequestOf<D[M]>>, context: CallContext) => Promise<ResponseOf<D[M]>>
    : D[M]['responseStream'] extends true
      ? (request: RequestOf<D[M]>, context: CallContext) => AsyncIterable<ResponseOf<D[M]>>
      : (request: RequestOf<D[M]>, context: CallContext) => Promise<ResponseOf<D[M]>>;
};

/** One connection to one service, shared by the clients of its gRPC services. */
export interface RpcChannel {
  client: <D extends ServiceDefinition>(definition: D) => RpcClient<D>;
  close: () => void;
}

/** Largest message either way: a 500-line invoice with its PDF fits well within it. */
export const MESSAGE_LIMIT_BYTES = 8 * 1024 * 1024;

const PROBE_TIMEOUT_MS = 2_000;
const HEALTH_STATUS_FIELD = 0x08;
const SERVING = 1;

const OPTIONS: ClientOptions = {
  'grpc.max_receive_message_length': MESSAGE_LIMIT_BYTES,
  'grpc.max_send_message_length': MESSAGE_LIMIT_BYTES,
  // Nobody reads its statistics of every call; ours are in the metrics.
  'grpc.enable_channelz': 0,
  // A restarted service is found again before anybody who waits for it is refused.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 300,
  // Without a retry policy only calls that no server has begun are sent again: a replica that stops costs nobody an answer.
  'grpc.enable_retries': 1,
  // Calls go round all replicas that the name resolves to.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Opens a connection to a service; nothing is sent before the first call. */
export const openChannel = (address: string, identity: RpcIdentity): RpcChannel => new GrpcChannel(address, identity);

class GrpcChannel implements RpcChannel {
  private readonly connection: Client;
  private readonly circuit = new Circuit(() => this.isServing());

  constructor(
    address: string,
    private readonly identity: RpcIdentity,
  ) {
    this.connection = new Client(address, channelCredentials(identity), OPTIONS);
  }

  client = <D extends ServiceDefinition>(definition: D): RpcClient<D> =>
    Object.fromEntries(
      Object.entries(definition).map(([name, method]) => [
        name,
        method.requestStream
          ? (requests: AsyncIterable<unknown>, context: CallContext) => this.upload(method, requests, context)
          : method.responseStream
            ? (request: unknown, context: CallContext) => this.stream(method, request, context)
            : this.unary(method),
      ]),
    ) as RpcClient<D>;

  close = (): void => this.connection.close();

  private async passCircuit(context: CallContext): Promise<void> {
    await this.circuit.pass();
    refuseAborted(context);
  }

  private unary<Request, Response>(method: MethodDefinition<Request, Response>) {
    return (request: Request, context: CallContext): Promise<Response> =>
      inSpan(method.path, SpanKind.CLIENT, context.trace, async (trace) => {
        refuseAborted(context);
        if (this.circuit.isOpen) await this.passCircuit(context);
        return new Promise<Response>((resolve, reject) => {
          const call = this.connection.makeUnaryRequest(
            method.path,
            method.requestSerialize,
            method.responseDeserialize,
            request,
            this.metadataOf({ ...context, trace }),
            { deadline: context.deadline },
            (failure: ServiceError | null, response?: Response) => {
              release();
              if (failure && isNoAnswer(failure)) this.circuit.gotNoAnswer();
              if (failure) reject(errorOfStatus(failure));
              else resolve(response as Response);
            },
          );
          const release = cancelOnAbort(call, context.signal);
        });
      });
  }

  private async upload<Request, Response>(
    method: MethodDefinition<Request, Response>,
    requests: AsyncIterable<Request>,
    context: CallContext,
  ): Promise<Response> {
    refuseAborted(context);
    if (this.circuit.isOpen) await this.passCircuit(context);
    const ended = new AbortController();
    let answer!: (failure: ServiceError | null, response?: Response) => void;
    const answered = new Promise<Response>((resolve, reject) => {
      answer = (failure, response) => {
        ended.abort();
        if (failure && isNoAnswer(failure)) this.circuit.gotNoAnswer();
        if (failure) reject(errorOfStatus(failure));
        else resolve(response as Response);
      };
    });
    // It may be refused before anybody waits for it.
    answered.catch(() => undefined);
    const call = this.connection.makeClientStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      this.metadataOf(context),
      { deadline: context.deadline },
      answer,
    );
    const release = cancelOnAbort(call, context.signal);
    try {
      for await (const request of requests) {
        // Whoever has answered reads no more of it.
        if (ended.signal.aborted) break;
        if (!call.write(request)) await drained(call, ended.signal);
      }
      call.end();
      return await answered;
    } finally {
      release();
      if (!ended.signal.aborted) call.cancel();
    }
  }

  private async *stream<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    context: CallContext,
  ): AsyncIterable<Response> {
    refuseAborted(context);
    if (this.circuit.isOpen) await this.passCircuit(context);
    const call = this.connection.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      this.metadataOf(context),
      { deadline: context.deadline },
    );
    const release = cancelOnAbort(call, context.signal);
    // Whoever leaves early hears no more of it, but an error without a listener would end the process.
    call.on('error', () => undefined);
    try {
      for await (const message of call) yield message as Response;
    } catch (failure) {
      if (isNoAnswer(failure as ServiceError)) this.circuit.gotNoAnswer();
      throw errorOfStatus(failure as ServiceError);
    } finally {
      release();
      call.cancel();
    }
  }

  /** grpc.health.v1.Health/Check of the whole process, without its package: an empty message there, `status = 1` back. */
  private isServing(): Promise<boolean> {
    return new Promise((resolve) => {
      this.connection.makeUnaryRequest(
        '/grpc.health.v1.Health/Check',
        () => Buffer.alloc(0),
        (bytes) => bytes[0] === HEALTH_STATUS_FIELD && bytes[1] === SERVING,
        undefined,
        this.metadataOf(newCallContext(PROBE_TIMEOUT_MS), { waitForReady: true }),
        { deadline: Date.now() + PROBE_TIMEOUT_MS },
        (failure: ServiceError | null, serving?: boolean) => resolve(!failure && serving === true),
      );
    });
  }

  private metadataOf(context: CallContext, options?: MetadataOptions): Metadata {
    const metadata = new Metadata(options);
    metadata.set('authorization', `Bearer ${this.identity.token}`);
    metadata.set('x-request-id', context.requestId);
    if (context.operationId) metadata.set('x-operation-id', context.operationId);
    if (context.dryRun) metadata.set('x-dry-run', 'true');
    if (context.testScenario) metadata.set('x-test-scenario', context.testScenario);
    writePrincipal(metadata, context.principal);
    for (const [name, value] of Object.entries(injectTrace(context.trace))) metadata.set(name, value);
    return metadata;
  }
}

/** Raised by grpc-js itself and not by the service: nobody answered. */
const isNoAnswer = ({ code, metadata }: ServiceError): boolean =>
  (code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED) && metadata?.get('error-code').length === 0;

/** grpc-js overlooks a cancellation in the moment that a call is made. */
function refuseAborted({ signal }: CallContext): void {
  if (signal?.aborted) throw new AppError('unfinished', 'generic', 'nobody waits for this call');
}

/** Cancels the call when nobody waits for it any more; the answer ends the watching. */
function cancelOnAbort(call: { cancel: () => void }, signal: AbortSignal | undefined): () => void {
  if (!signal) return () => undefined;
  const cancel = (): void => call.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
