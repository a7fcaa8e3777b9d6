import type { components } from './generated/api';

/** One thing that is wrong with a request: a JSON Pointer into its body and a readable sentence. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

type Schemas = components['schemas'];

/** What the service calls its refusals, as the API document lists them. The list may grow within v1, so any other string can appear. */
export type ErrorCode = Schemas['Error']['error'] | Schemas['ValidationError']['error'] | (string & {});

/** The service answered, and the answer was no. */
export class InvoicingError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly status: number,
    /** Only for `validation`: all violations at once. */
    readonly details: readonly Violation[],
    /** Names the request in the service's logs; give it to support. */
    readonly requestId: string | undefined,
    /** Whole seconds, when the service said when to come back. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(
      [`${code} (HTTP ${status})`, ...details.map(({ path, message }) => `${path || 'request'} ${message}`)].join('; '),
    );
    this.name = 'InvoicingError';
  }
}

/** No answer came, after all retries: a time limit, a refused or broken connection. The cause says which. */
export class InvoicingConnectionError extends Error {
  constructor(message: string, options: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'InvoicingConnectionError';
  }
}
