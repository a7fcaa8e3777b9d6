import { isErrorCode, meaningOfCode, type ErrorCode, type KindOfCode } from './error-codes';
import type { ErrorKind } from './error-table';

/** One thing that is wrong with an input: a JSON Pointer into it and a readable sentence. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

/** What an error may carry besides its words. */
export interface AppErrorOptions {
  readonly cause?: unknown;
  /** All violations at once; only for kind `invalid`. */
  readonly details?: readonly Violation[];
  /** Whole seconds after which trying again makes sense; only for kind `exhausted` and `busy`. */
  readonly retryAfterSeconds?: number;
}

/** Kind and code that go together, and what is said of them. */
export type AppErrorArguments = {
  [C in ErrorCode]: [kind: KindOfCode<C>, code: C, message: string, options?: AppErrorOptions];
}[ErrorCode];

/**
 * The one error that crosses layers and services. `code` is a stable word of the catalogue. `message` is for the log; what leaves the
 * process is `publicMessage`: the same, but of an `internal` error only what its code means, for nobody foresaw who reads it.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly publicMessage: string;
  readonly details: readonly Violation[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(...[kind, code, message, options = {}]: AppErrorArguments) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.code = code;
    this.publicMessage = kind === 'internal' ? meaningOfCode(code) : message;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** An error as a peer told it; a code that we do not know is `generic`, of the kind that was told. */
  static received(kind: ErrorKind, code: string, message: string, options: AppErrorOptions): AppError {
    const known = isErrorCode(code) ? code : 'generic';
    return new AppError(...([kind, known, message, options] as unknown as AppErrorArguments));
  }
}

/** The error for input that does not fit: code `validation` with every violation. */
export const validationError = (details: readonly Violation[]): AppError =>
  new AppError('invalid', 'validation', details.map((each) => `${each.path}: ${each.message}`).join('; '), { details });

/** The error for a document that is not there, or not the caller's: the two look the same. */
export const notFoundError = (what: string): AppError => new AppError('absent', 'not_found', `${what} does not exist`);
