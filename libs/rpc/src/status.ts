import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { AppError, errorTable, kindOfGrpcStatus, type ErrorKind, type Violation } from '@invoicing/errors';
import { richStatus } from './rich-status';

// The stable code and the violations travel in trailing metadata; the status message is the public message. The same once more as
// google.rpc.Status, for foreign clients.
const CODE = 'error-code';
const DETAILS = 'error-details-bin';
const KIND = 'error-kind';
const RETRY_AFTER = 'error-retry-after';
const RICH = 'grpc-status-details-bin';

// HTTP/2 peers refuse headers beyond 64 KiB, and the answer would be lost: base64 of this, and the message, stay well below.
const DETAILS_LIMIT_BYTES = 24 * 1024;
// Some languages take no more than 8 KiB of metadata unless told to: what they read stays within it, where the details do.
const RICH_LIMIT_BYTES = 3 * 1024;
const MESSAGE_LIMIT = 512;

/** What leaves a server for an error. Only an AppError speaks for itself; anything else is `generic`, with nothing inside. */
export function statusOfError(error: unknown): Partial<StatusObject> {
  const known = error instanceof AppError ? error : new AppError('internal', 'generic', 'internal error');
  const metadata = new Metadata();
  metadata.set(CODE, known.code);
  metadata.set(KIND, known.kind);
  if (known.details) metadata.set(DETAILS, Buffer.from(JSON.stringify(fitting(known.details, DETAILS_LIMIT_BYTES))));
  if (known.retryAfterSeconds !== undefined) metadata.set(RETRY_AFTER, String(known.retryAfterSeconds));
  const message = wellFormed(known.publicMessage.slice(0, MESSAGE_LIMIT));
  metadata.set(RICH, richStatus(known, message, fitting(known.details ?? [], RICH_LIMIT_BYTES)));
  return { code: errorTable[known.kind].grpc, details: message, metadata };
}

/** Half a character, as a cut leaves it or a caller sent it, makes grpc-js throw where nobody hears it: the call would never be answered. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** The way back; total: grpc-js raises UNAVAILABLE, DEADLINE_EXCEEDED and CANCELLED itself, without our metadata. */
export function errorOfStatus(failure: ServiceError): AppError {
  const [code] = failure.metadata?.get(CODE) ?? [];
  const [kind] = failure.metadata?.get(KIND) ?? [];
  const [details] = failure.metadata?.get(DETAILS) ?? [];
  const [retryAfter] = failure.metadata?.get(RETRY_AFTER) ?? [];
  if (typeof code !== 'string')
    return AppError.received(kindOfGrpcStatus(failure.code), codeOfTransport(failure.code), 'call failed', {
      cause: failure,
    });
  return AppError.received(
    typeof kind === 'string' && kind in errorTable ? (kind as ErrorKind) : kindOfGrpcStatus(failure.code),
    code,
    failure.details,
    {
      cause: failure,
      ...(Buffer.isBuffer(details) && { details: JSON.parse(details.toString()) as Violation[] }),
      ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
    },
  );
}

/** Whether a call failed because its server does not have the method: one of the version before, while replicas are exchanged. */
export const isUnimplemented = (error: unknown): boolean =>
  error instanceof AppError && (error.cause as Partial<ServiceError> | undefined)?.code === status.UNIMPLEMENTED;

/** As many violations as fit, the first ones; the last entry then says how many more there are. */
function fitting(details: readonly Violation[], limitBytes: number): readonly Violation[] {
  let bytes = 0;
  const fits = details.findIndex((each) => (bytes += Buffer.byteLength(JSON.stringify(each)) + 1) > limitBytes);
  if (fits === -1) return details;
  const rest: Violation = { path: '', message: `and ${details.length - fits} more` };
  return [...details.slice(0, fits), rest];
}

const codeOfTransport = (code: number): string => (code === status.UNAVAILABLE ? 'unavailable' : 'generic');
