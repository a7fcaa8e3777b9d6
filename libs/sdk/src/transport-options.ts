import type { InvoicingConnectionError, InvoicingError } from './errors';

/** Where the API is, the key, and how often a call is tried. */
export interface TransportOptions {
  /** `ik_live_…` or `ik_test_…`. Default: INVOICING_API_KEY of the environment; without either only what needs no key can be called. */
  readonly apiKey?: string | undefined;
  /** E.g. `https://invoicing.example`, without `/api/v1`. Default: INVOICING_BASE_URL of the environment. */
  readonly baseUrl?: string | undefined;
  /** Attempts after the first one. Default 4; 0 turns retries off. */
  readonly maxRetries?: number;
  /** Time limit of one attempt. Default 30 000. */
  readonly timeoutMs?: number;
  /** Longest wait before a retry; a longer `Retry-After` ends the call with its error. Default 60 000. */
  readonly maxWaitMs?: number;
  /** Told before each wait for another attempt, e.g. to log it. What it throws ends the call. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Another implementation of `fetch`, e.g. one with a proxy. */
  readonly fetch?: typeof fetch;
}

/** An attempt that failed and is made again. */
export interface Retry {
  readonly method: string;
  readonly path: string;
  /** Which attempt failed, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: InvoicingError | InvoicingConnectionError;
}
