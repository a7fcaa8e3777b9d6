import { AppError, httpStatusOfCode, type ErrorKind, type PublicErrorCode, type Violation } from '@invoicing/errors';

interface EdgeErrorOptions {
  readonly details?: readonly Violation[] | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal as it goes to the client: `{ error, details? }` with its status and headers. */
export class EdgeError extends Error {
  readonly status: number;
  readonly details: readonly Violation[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: PublicErrorCode,
    options: EdgeErrorOptions = {},
  ) {
    super(code, { cause: options.cause });
    this.name = 'EdgeError';
    this.status = httpStatusOfCode(code);
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

export const validation = (details: readonly Violation[]): EdgeError => new EdgeError('validation', { details });

/** What a service's refusal means out here. What is not listed is our own failure: a service should not have said it to us. */
const codeOfKind: Partial<Record<ErrorKind, PublicErrorCode>> = {
  invalid: 'validation',
  // No operation has an id in its path: what a service does not find was named in the body.
  absent: 'validation',
  forbidden: 'forbidden',
  unavailable: 'unavailable',
};

/** A part does not answer, and nothing was written: the client may try again soon. */
export const unavailable = (cause: unknown, retryAfterSeconds = 2): EdgeError =>
  new EdgeError('unavailable', { cause, headers: { 'retry-after': String(retryAfterSeconds) } });

/** Total: whatever was thrown becomes something that may be sent. The cause stays inside, for the log. */
export function edgeErrorOf(error: unknown): EdgeError {
  if (error instanceof EdgeError) return error;
  if (error instanceof AppError) {
    if (error.kind === 'blocked' && (error.code === 'billing_readonly' || error.code === 'plan_limit_api'))
      return new EdgeError(error.code, { cause: error });
    if (error.code === 'test_only') return new EdgeError('test_only', { cause: error });
    const code = codeOfKind[error.kind];
    if (code === 'validation')
      return new EdgeError(code, {
        details: error.details ?? [{ path: '', message: error.publicMessage }],
        cause: error,
      });
    if (code === 'unavailable') return unavailable(error, error.retryAfterSeconds);
    if (code) return new EdgeError(code, { cause: error });
  }
  return isStoreUnreachable(error) ? unavailable(error) : new EdgeError('generic', { cause: error });
}

// The gateway's own store is a service behind it, too. The driver says so by the error's name.
const UNREACHABLE =
  /^Mongo(Network|NetworkTimeout|ServerSelection|PoolCleared|NotConnected|TopologyClosed|WaitQueueTimeout|OperationTimeout)Error$/;
const isStoreUnreachable = (error: unknown): boolean => error instanceof Error && UNREACHABLE.test(error.name);
