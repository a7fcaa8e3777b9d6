import type { TransportOptions } from './transport-options';

type Limits = Required<Pick<TransportOptions, 'maxRetries' | 'timeoutMs' | 'maxWaitMs'>>;

/** Options with what the environment says filled in. Throws TypeError, which says what is wrong with which one. */
export function checkedOptions(
  options: TransportOptions,
): Limits & { readonly apiKey: string | undefined; readonly baseUrl: string } {
  const { maxRetries = 4, timeoutMs = 30_000, maxWaitMs = 60_000 } = options;
  const apiKey = options.apiKey ?? fromEnvironment('INVOICING_API_KEY');
  if (apiKey !== undefined && !/^ik_(live|test)_/.test(apiKey))
    throw new TypeError('apiKey must begin with ik_live_ or ik_test_' + (apiKey === '' ? ', and is empty' : ''));
  for (const [name, value] of Object.entries({ maxRetries, timeoutMs, maxWaitMs }))
    if (!Number.isFinite(value) || value < 0) throw new TypeError(`${name} must be a number, 0 or more`);
  return { apiKey, baseUrl: baseUrlOf(options), maxRetries, timeoutMs, maxWaitMs };
}

function baseUrlOf({ baseUrl = fromEnvironment('INVOICING_BASE_URL') }: TransportOptions): string {
  if (baseUrl === undefined)
    throw new TypeError('there is no address: pass baseUrl, or set INVOICING_BASE_URL in the environment');
  if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new TypeError('baseUrl must be an absolute http or https address');
  const trimmed = baseUrl.replace(/\/+$/, '');
  if (/\/api(\/v1)?$/.test(trimmed)) throw new TypeError('baseUrl must not end with /api/v1: the client adds it');
  return trimmed;
}

/** Where there is no environment (browsers, some edge runtimes) nothing is set. */
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
