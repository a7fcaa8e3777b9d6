import { AppError, type KindOfCode } from '@invoicing/errors';

const KIND_BY_STATUS: Record<number, KindOfCode<'provider_failed'>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'unauthenticated',
  404: 'absent',
  // The same call is under way already, or was just done: its time limit here was shorter than Mollie's work.
  409: 'conflict',
  410: 'absent',
  422: 'invalid',
  429: 'exhausted',
};

/** Runs a call of Mollie's client and turns what it throws into ours. No answer, or one that is not understood, is `unavailable`. */
export async function mollieError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // The client's errors carry the answer's status, or none when there was no answer.
    const { name, statusCode, headers } = (cause ?? {}) as { name?: string; statusCode?: number; headers?: Headers };
    // What its own schema refuses was never sent.
    const isRefused = name === 'SDKValidationError';
    const kind = isRefused ? 'invalid' : (statusCode !== undefined && KIND_BY_STATUS[statusCode]) || 'unavailable';
    const retryAfter = Number(headers?.get?.('retry-after'));
    throw new AppError(kind, 'provider_failed', `Mollie answered ${statusCode ?? 'nothing'}`, {
      cause,
      ...(retryAfter > 0 && { retryAfterSeconds: Math.ceil(retryAfter) }),
    });
  }
}
