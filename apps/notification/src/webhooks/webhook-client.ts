import type { Agent } from 'undici';
import { targetFault } from '@invoicing/rules';
import { guardedConnector, type GuardOptions } from '../guarded-connector-client';
import { postOnce, TimeLimitError } from './post-once';
import { parseRetryAfter } from './retry-schedule';

/** How one attempt went. */
export interface AttemptResult {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Why no answer came; empty when one did. */
  readonly error: AttemptError | '';
  readonly durationMs: number;
  /** Beginning of the answer, for operators only. */
  readonly excerpt: string;
  readonly retryAfterMs: number | undefined;
}

export type AttemptError =
  | 'timeout'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'dns'
  | 'tls'
  | 'forbidden_target'
  | 'too_large'
  | 'not_http'
  | 'failed';

export interface WebhookClient {
  post: (url: string, headers: Record<string, string>, body: string) => Promise<AttemptResult>;
  close: () => Promise<void>;
}

export interface WebhookClientOptions extends Omit<GuardOptions, 'connectTimeoutMs'> {
  /** Connections to one host at once. */
  readonly connections: number;
  readonly timeLimitMs?: number;
}

const TIME_LIMIT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const REMEMBERED = 10_000;
const HEADER_BYTES = 16 * 1_024;

/** Posts to strangers: public addresses only, no redirects, bounded in time and in what is read. */
export function webhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeLimitMs = TIME_LIMIT_MS, connections, allowLoopback } = options;
  let opened: Promise<Agent> | undefined;
  // Loaded for the first webhook: many installations never send one.
  const open = () =>
    (opened ??= import('undici').then(({ Agent, buildConnector }) => {
      const connectTimeoutMs = Math.min(CONNECT_TIMEOUT_MS, timeLimitMs);
      return new Agent({
        connections,
        pipelining: 1,
        connect: guardedConnector(buildConnector, { ...options, connectTimeoutMs }),
        // The limits are those of postOnce, which hold for all of an attempt.
        headersTimeout: 0,
        bodyTimeout: 0,
        maxHeaderSize: HEADER_BYTES,
      });
    }));

  const known = new Map<string, boolean>();
  const isTarget = (url: string): boolean => {
    const found = known.get(url) ?? targetFault(url, allowLoopback) === undefined;
    if (known.size >= REMEMBERED) known.clear();
    known.set(url, found);
    return found;
  };

  return {
    post: async (url, headers, body) => {
      const agent = await open();
      const startedAt = performance.now();
      const result = (answer: Partial<AttemptResult>): AttemptResult => ({
        status: 0,
        error: '',
        excerpt: '',
        retryAfterMs: undefined,
        ...answer,
        durationMs: Math.round(performance.now() - startedAt),
      });
      // The rules may have become stricter since the endpoint was made.
      if (!isTarget(url)) return result({ error: 'forbidden_target' });
      try {
        const all = { 'content-type': 'application/json', 'user-agent': 'invoicing-webhooks/1', ...headers };
        const { status, excerpt, retryAfter } = await postOnce(agent, url, all, body, timeLimitMs);
        return result({ status, excerpt, retryAfterMs: parseRetryAfter(retryAfter, new Date()) });
      } catch (error) {
        return result({ error: attemptError(error) });
      }
    },
    close: async () => (await opened)?.destroy(),
  };
}

const byCode: Record<string, AttemptError> = {
  FORBIDDEN_TARGET: 'forbidden_target',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  HPE_HEADER_OVERFLOW: 'too_large',
};

/** The stable code of a failure of undici, the socket or TLS. */
function attemptError(error: unknown): AttemptError {
  const { code, name, errors } = (error ?? {}) as { code?: unknown; name?: string; errors?: unknown[] };
  if (error instanceof TimeLimitError) return 'timeout';
  const known = byCode[String(code)];
  if (known) return known;
  // Every address of the name was tried.
  if (errors?.length) return attemptError(errors[0]);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/.test(String(code)))
    return 'tls';
  return name === 'HTTPParserError' ? 'not_http' : 'failed';
}
