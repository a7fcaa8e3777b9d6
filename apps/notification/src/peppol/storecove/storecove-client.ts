import type { Dispatcher } from 'undici';
import { AppError, type KindOfCode } from '@invoicing/errors';
import { guardedConnector } from '../../guarded-connector-client';

const CONNECT_LIMIT_MS = 5_000;
const TIME_LIMIT_MS = 15_000;
const LONGEST_ANSWER = 1_048_576;

const KIND_BY_STATUS: Readonly<Record<number, KindOfCode<'provider_failed'>>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'unauthenticated',
  404: 'absent',
  422: 'invalid',
  429: 'exhausted',
};

/** What Storecove says is wrong with a request (its ErrorModel). */
export interface StorecoveFault {
  readonly source?: string;
  readonly details?: string;
}

/** An answer with a status that is no success; `faults` is empty but for a 422. */
export class StorecoveError extends AppError {
  constructor(
    readonly status: number,
    message: string,
    readonly faults: readonly StorecoveFault[] = [],
  ) {
    super(KIND_BY_STATUS[status] ?? 'unavailable', 'provider_failed', message);
  }
}

/** What connects, loaded for the first request. */
export type OpenDispatcher = () => Promise<Dispatcher>;

/** Connects to public addresses only: an organisation may name another address of the API. */
export function publicDispatcher(allowLoopback: boolean): OpenDispatcher {
  let opened: Promise<Dispatcher> | undefined;
  return () =>
    (opened ??= import('undici').then(({ Agent, buildConnector }) => {
      const connect = guardedConnector(buildConnector, { allowLoopback, connectTimeoutMs: CONNECT_LIMIT_MS });
      return new Agent({ connect, maxResponseSize: LONGEST_ANSWER });
    }));
}

/** Storecove's HTTP API, version 2 (https://www.storecove.com/docs). One request a call; no answer is `unavailable`. */
export function storecoveClient(apiKey: string, baseUrl: string, dispatcher: OpenDispatcher) {
  /** Undefined where the answer has no body. */
  return async <T>(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<T | undefined> => {
    const { statusCode, text } = await ask(method, path, body);
    if (statusCode < 200 || statusCode > 299)
      throw new StorecoveError(statusCode, `Storecove answered ${statusCode} to ${method} ${path}`, faultsIn(text));
    return text === '' ? undefined : (read(text, method, path) as T);
  };

  async function ask(method: Dispatcher.HttpMethod, path: string, body: object | undefined) {
    // Loaded for the first document.
    const { request } = await import('undici');
    const headers = {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    };
    try {
      // undici follows no redirect: the key goes nowhere else.
      const response = await request(`${baseUrl}${path}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
        dispatcher: await dispatcher(),
      });
      return { statusCode: response.statusCode, text: await response.body.text() };
    } catch (cause) {
      throw new AppError('unavailable', 'provider_failed', `Storecove does not answer ${method} ${path}`, { cause });
    }
  }
}

function read(text: string, method: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('unavailable', 'provider_failed', `Storecove’s answer to ${method} ${path} is no JSON`, {
      cause,
    });
  }
}

function faultsIn(text: string): StorecoveFault[] {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? (found as StorecoveFault[]) : [];
  } catch {
    // A proxy's page says nothing about the request.
    return [];
  }
}
