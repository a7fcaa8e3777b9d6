import { checkedOptions } from './checked-options';
import type { TransportOptions } from './transport-options';
import { InvoicingConnectionError, InvoicingError, type Violation } from './errors';

/** One request to the API. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly dryRun?: boolean;
  readonly testScenario?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Statuses that are answers although they are not 2xx. */
  readonly accept?: readonly number[];
  /** Needs no key. */
  readonly open?: boolean;
}

/** Sends a request, tries again what may be tried again, and answers the parsed body. */
export type Transport = (call: Call) => Promise<unknown>;

const FIRST_WAIT_MS = 250;
const LONGEST_OWN_WAIT_MS = 8_000;

/**
 * Sends a call until it is answered for good. Each creation has an Idempotency-Key, the same in every attempt, so trying again is
 * always safe. Tried again: no answer, 408, 425, 429, 5xx, and 409 while the first attempt still runs.
 */
export function createTransport(options: TransportOptions): Transport {
  const { apiKey, baseUrl, maxRetries, timeoutMs, maxWaitMs } = checkedOptions(options);
  const { onRetry, fetch: send = globalThis.fetch } = options;

  return async (call) => {
    for (let attempt = 0; ; attempt++) {
      call.signal?.throwIfAborted();
      if (apiKey === undefined && !call.open)
        throw new TypeError('there is no API key: pass apiKey, or set INVOICING_API_KEY in the environment');
      const failure = await attemptOnce(call);
      if ('answer' in failure) return failure.answer;
      const waitMs = waitBefore(attempt, failure.error);
      if (attempt >= maxRetries || !isWorthAnother(failure.error) || waitMs > maxWaitMs) throw failure.error;
      onRetry?.({ method: call.method, path: call.path, attempt: attempt + 1, waitMs, error: failure.error });
      await wait(waitMs, call.signal);
    }
  };

  async function attemptOnce(call: Call): Promise<{ answer: unknown } | { error: Failure }> {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(`${baseUrl}${call.path}`, {
        method: call.method,
        headers: headersOf(call),
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
        redirect: 'error',
        signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit,
      });
      const text = await response.text();
      if (response.ok || call.accept?.includes(response.status)) return { answer: JSON.parse(text) as unknown };
      return { error: errorOf(response, text) };
    } catch (cause) {
      call.signal?.throwIfAborted();
      const reason = limit.aborted ? `no answer within ${timeoutMs} ms` : 'no answer';
      return { error: new InvoicingConnectionError(`${call.method} ${call.path}: ${reason}`, { cause }) };
    }
  }

  function headersOf({ body, idempotencyKey, dryRun, testScenario }: Call): Record<string, string> {
    return {
      accept: 'application/json',
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(dryRun && { 'dry-run': 'true' }),
      ...(testScenario !== undefined && { 'test-scenario': testScenario }),
    };
  }
}

type Failure = InvoicingError | InvoicingConnectionError;

const TRANSIENT = new Set([408, 425, 429, 500, 501, 502, 503, 504]);

const isWorthAnother = (error: Failure): boolean =>
  error instanceof InvoicingConnectionError || TRANSIENT.has(error.status) || error.code === 'idempotency_in_flight';

/** What the service asked for, else a random part of a doubling wait: many clients do not come back at the same moment. */
function waitBefore(attempt: number, error: Failure): number {
  if (error instanceof InvoicingError && error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  const longest = Math.min(LONGEST_OWN_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return longest / 2 + (Math.random() * longest) / 2;
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

function errorOf({ status, headers }: Response, text: string): InvoicingError {
  const { error, details } = parsed(text);
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return new InvoicingError(
    // A proxy in between may answer without our body.
    typeof error === 'string' ? error : status >= 500 ? 'unavailable' : 'generic',
    status,
    Array.isArray(details) ? (details as Violation[]) : [],
    headers.get('x-request-id') ?? undefined,
    Number.isFinite(seconds) ? Math.max(0, seconds) : undefined,
  );
}

function parsed(text: string): { error?: unknown; details?: unknown } {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    // Not JSON: not an answer of the service itself.
    return {};
  }
}
