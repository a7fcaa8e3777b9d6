import { BadRequest, ErrorInfo, RetryInfo } from '@invoicing/contracts/google/rpc/error_details';
import { Status } from '@invoicing/contracts/google/rpc/status';
import { errorTable, type AppError, type Violation } from '@invoicing/errors';

const DOMAIN = 'invoicing';

/** An error as google.rpc.Status, the way every gRPC language knows it (https://google.aip.dev/193): for `grpc-status-details-bin`. */
export function richStatus(error: AppError, message: string, violations: readonly Violation[]): Buffer {
  const { kind, code, retryAfterSeconds: seconds } = error;
  const details = [
    any('ErrorInfo', ErrorInfo.encode({ reason: code.toUpperCase(), domain: DOMAIN, metadata: { kind } }).finish()),
  ];
  if (violations.length > 0) {
    const fieldViolations = violations.map(({ path, message: description }) => ({ field: fieldOf(path), description }));
    details.push(any('BadRequest', BadRequest.encode({ fieldViolations }).finish()));
  }
  if (seconds !== undefined)
    details.push(any('RetryInfo', RetryInfo.encode({ retryDelay: { seconds, nanos: 0 } }).finish()));
  return Buffer.from(Status.encode({ code: errorTable[kind].grpc, message, details }).finish());
}

const any = (name: string, value: Uint8Array) => ({
  typeUrl: `type.googleapis.com/google.rpc.${name}`,
  value: Buffer.from(value),
});

/** JSON Pointer → path of a field: `/lines/0/quantity` → `lines[0].quantity`. */
const fieldOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');
