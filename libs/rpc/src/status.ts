import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { AppError, errorTable, kindOfGrpcStatus, type ErrorKind, type Violation } from '@invoicing/errors';

// The stable code and the violations travel in trailing metadata; the status message is the public message.
const CODE = 'error-code';
const DETAILS = 'error-details-bin';
const KIND = 'error-kind';

/** What leaves a server for an error. Only an AppError speaks for itself; anything else is `generic`, with nothing inside. */
export function statusOfError(error: unknown): Partial<StatusObject> {
  const known = error instanceof AppError ? error : new AppError('internal', 'generic', 'internal error');
  const metadata = new Metadata();
  metadata.set(CODE, known.code);
  metadata.set(KIND, known.kind);
  if (known.details) metadata.set(DETAILS, Buffer.from(JSON.stringify(known.details)));
  return { code: errorTable[known.kind].grpc, details: known.publicMessage, metadata };
}

/** The way back; total: grpc-js raises UNAVAILABLE, DEADLINE_EXCEEDED and CANCELLED itself, without our metadata. */
export function errorOfStatus(failure: ServiceError): AppError {
  const [code] = failure.metadata?.get(CODE) ?? [];
  const [kind] = failure.metadata?.get(KIND) ?? [];
  const [details] = failure.metadata?.get(DETAILS) ?? [];
  if (typeof code !== 'string')
    return new AppError(kindOfGrpcStatus(failure.code), codeOfTransport(failure.code), 'call failed', {
      cause: failure,
    });
  return new AppError(
    typeof kind === 'string' && kind in errorTable ? (kind as ErrorKind) : kindOfGrpcStatus(failure.code),
    code,
    failure.details,
    { cause: failure, ...(Buffer.isBuffer(details) && { details: JSON.parse(details.toString()) as Violation[] }) },
  );
}

const codeOfTransport = (code: number): string => (code === status.UNAVAILABLE ? 'unavailable' : 'generic');
