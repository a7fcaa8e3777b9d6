import { type IncomingMessage } from 'node:http';
import { type Request } from 'express';
import { clientIp } from '../edge/client-address';
import { EdgeError } from '../edge/edge-error';
import { type EdgeRequest } from '../edge/edge-request';

// RFC 9110, 7.6.1: between two neighbours only. The proxy's own connection is its own matter. `Expect`: the server has already
// answered 100 when a request gets here, so there is nothing left to wait for.
const HOP_HEADERS = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
];
// What a client may not remove by naming it in `Connection`: least of all what says where its body ends.
const KEPT = /^(host|content-.*|transfer-encoding)$/;
// Only this gateway says who came in: what a client claims is dropped.
const FORWARDED_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'];
// An outside request has no part in our traces: a page's begins at the service that serves it.
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage'];

/**
 * Refuses a request whose end two readers could see in different places (RFC 9112, 6.3). The parser refuses most of it before;
 * a proxy must not depend on how lenient a parser was told to be.
 */
export function checkFraming({ method, headers, httpVersion }: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding !== undefined && length !== undefined) throw badFraming('must have one length only');
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion !== '1.1'))
    throw badFraming('must have no transfer encoding but chunked');
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw badFraming('must have a valid length');
  // No meaning is defined for it, and readers differ in whether they look for it.
  if (method !== 'POST' && (encoding !== undefined || Number(length ?? 0) > 0))
    throw badFraming(`must be empty for ${method}`);
}

/** Where the next request on that connection would begin is unknown, too: the answer is its last. */
const badFraming = (message: string): EdgeError =>
  new EdgeError('validation', { details: [{ path: '', message }], headers: { connection: 'close' } });

/** Makes the headers what the backend gets to see, all before the proxy reads them: later they may have left already. */
export function prepareHeaders(request: Request): void {
  const { headers } = request;
  const forwarded = {
    'x-request-id': (request as EdgeRequest).edge.requestId,
    'x-forwarded-for': clientIp(request),
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': request.protocol,
  };
  const listed = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const removable = listed.filter((name) => !KEPT.test(name));
  for (const name of [...HOP_HEADERS, ...FORWARDED_HEADERS, ...TRACE_HEADERS, ...removable]) delete headers[name];
  Object.assign(headers, forwarded);
}

/** Of a backend's answer, what is between it and the gateway. */
export function dropHopHeaders(answer: IncomingMessage): void {
  for (const name of HOP_HEADERS) delete answer.headers[name];
}
