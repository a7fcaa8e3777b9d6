import { setTimeout } from 'node:timers/promises';
import { AppError } from '@invoicing/errors';
import type { CallContext, RpcChannel } from '@invoicing/rpc';

const TIMES = 5;

type Unary = (request: unknown, context: CallContext) => Promise<unknown>;

/**
 * A channel that asks again when a service says that a part behind it does not answer, and when to ask again: for a second after a start
 * the services have not found each other yet. Only what has an operation's id is repeated: it is done once however often it is asked for.
 */
export const patientChannel = (channel: RpcChannel): RpcChannel => ({
  ...channel,
  client: (definition) => {
    const client = channel.client(definition) as Record<string, Unary>;
    const calls = Object.entries(definition).map(([name, { requestStream, responseStream }]) => {
      const call = client[name]!;
      return [name, requestStream || responseStream ? call : patient(call)];
    });
    return Object.fromEntries(calls) as ReturnType<RpcChannel['client']> as never;
  },
});

const patient =
  (call: Unary): Unary =>
  async (request, context) => {
    for (let time = 1; ; time++)
      try {
        return await call(request, context);
      } catch (error) {
        const seconds = context.operationId !== undefined && time < TIMES ? secondsToWait(error) : undefined;
        if (seconds === undefined) throw error;
        await setTimeout(seconds * 1_000);
      }
  };

const secondsToWait = (error: unknown): number | undefined =>
  error instanceof AppError && error.kind === 'unavailable' ? error.retryAfterSeconds : undefined;
