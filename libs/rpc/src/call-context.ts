import { randomUUID } from 'node:crypto';
import { activeTrace, type Context } from '@invoicing/telemetry';
import type { Actor, TestScenario } from '@invoicing/rules';
import type { Identity } from './access';
import type { Principal } from './principal';

/** What travels with a call from its first process to its last. */
export interface CallContext {
  /** Ties the log lines of all services together. */
  readonly requestId: string;
  /** Epoch milliseconds after which nobody waits any more. */
  readonly deadline: number;
  /** UUID that becomes the id of what the call creates; running it again meets the same document. */
  readonly operationId?: string | undefined;
  /** Only tried out: everything is checked and answered, nothing is stored, sent or numbered. */
  readonly dryRun?: boolean | undefined;
  /** What a test organisation wishes to happen to what is asked for. */
  readonly testScenario?: TestScenario | undefined;
  /** Aborts when the caller hung up or the deadline passed. */
  readonly signal?: AbortSignal | undefined;
  readonly trace: Context;
  /** For whom; absent: the process by itself. */
  readonly principal?: Principal | undefined;
}

/** A call as a server sees it. */
export interface ServerCallContext extends CallContext {
  /** Identity of the calling service or operator, proven by its token or certificate. */
  readonly caller: Identity;
  /** For whom: the first in the chain of calls. */
  readonly principal: Principal;
  /** The same in the words that documents keep. */
  readonly by: Actor;
  readonly signal: AbortSignal;
}

/** The context of work that no call asked for: a worker, a consumer, the CLI. In the trace of what runs now, if any. */
export const newCallContext = (timeoutMs: number, options: Partial<CallContext> = {}): CallContext => ({
  requestId: randomUUID(),
  deadline: Date.now() + timeoutMs,
  trace: activeTrace(),
  ...options,
  // What a dry run asks of others it really asks.
  dryRun: false,
});
