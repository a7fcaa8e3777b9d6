import type { ErrorKind } from './error-table';

/** One thing that is wrong with an input: a JSON Pointer into it and a readable sentence. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

interface AppErrorOptions {
  readonly cause?: unknown;
  /** All violations at once; only for kind `invalid`. */
  readonly details?: readonly Violation[];
  /** Whole seconds after which trying again makes sense; only for kind `exhausted` and `busy`. */
  readonly retryAfterSeconds?: number;
}

/**
 * The one error that crosses layers and services.
 * `code` is the stable word that clients see (`validation`, `billing_readonly`, …); `publicMessage` must be fit for strangers.
 */
export class AppError extends Error {
  readonly details: readonly Violation[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    readonly publicMessage: string,
    options: AppErrorOptions = {},
  ) {
    super(publicMessage, { cause: options.cause });
    this.name = 'AppError';
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The error for input that does not fit: code `validation` with every violation. */
export const validationError = (details: readonly Violation[]): AppError =>
  new AppError('invalid', 'validation', details.map((each) => `${each.path}: ${each.message}`).join('; '), { details });

/** The error for a document that is not there, or not the caller's: the two look the same. */
export const notFoundError = (what: string): AppError => new AppError('absent', 'not_found', `${what} does not exist`);
