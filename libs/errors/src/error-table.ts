/** What can go wrong, in words of no transport. A kind without a row below does not compile. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'blocked'
  | 'forbidden'
  | 'absent'
  | 'exists'
  | 'conflict'
  | 'busy'
  | 'exhausted'
  | 'unavailable'
  | 'unfinished'
  | 'internal';

/** gRPC status numbers, https://grpc.io/docs/guides/status-codes/ (kept here so that this library imports nothing). */
export interface Transport {
  readonly grpc: number;
  readonly http: number;
}

/** The one table kind → gRPC → HTTP. */
export const errorTable: Record<ErrorKind, Transport> = {
  invalid: { grpc: 3, http: 400 },
  unauthenticated: { grpc: 16, http: 401 },
  // The state of the organisation forbids it: plan, arrears, no credits.
  blocked: { grpc: 9, http: 402 },
  forbidden: { grpc: 7, http: 403 },
  absent: { grpc: 5, http: 404 },
  exists: { grpc: 6, http: 409 },
  conflict: { grpc: 10, http: 409 },
  busy: { grpc: 10, http: 409 },
  exhausted: { grpc: 8, http: 429 },
  unavailable: { grpc: 14, http: 501 },
  // Nobody knows whether it happened: the deadline passed, or the caller hung up.
  unfinished: { grpc: 4, http: 500 },
  internal: { grpc: 13, http: 500 },
};

const kindByGrpc: Record<number, ErrorKind> = {
  1: 'unfinished',
  3: 'invalid',
  4: 'unfinished',
  5: 'absent',
  6: 'exists',
  7: 'forbidden',
  8: 'exhausted',
  9: 'blocked',
  10: 'conflict',
  11: 'invalid',
  14: 'unavailable',
  16: 'unauthenticated',
};

/** The way back from gRPC; total: what has no kind of its own is `internal`. */
export const kindOfGrpcStatus = (status: number): ErrorKind => kindByGrpc[status] ?? 'internal';
