import { type Response } from 'express';
import { type Logger } from '@invoicing/telemetry';
import { edgeErrorOf } from './edge-error';
import { type EdgeRequest } from './edge-request';

/** On every answer of the API itself: it is data, never a page. Names and values in turn, which Node writes fastest. */
const FIXED_HEADERS = [
  ...['content-type', 'application/json; charset=utf-8'],
  ...['cache-control', 'no-store'],
  ...['x-content-type-options', 'nosniff'],
  ...['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['referrer-policy', 'no-referrer'],
];

/** Sends JSON text, with what was gathered for the request on its way. */
export function sendJson({ edge }: EdgeRequest, response: Response, status: number, body: string): void {
  const length = Buffer.byteLength(body);
  const headers = [...FIXED_HEADERS, 'content-length', String(length), 'x-request-id', edge.requestId];
  for (const name in edge.headers) headers.push(name, edge.headers[name]!);
  // Plain ASCII, as most answers are, is the same bytes in Latin-1, which Node copies instead of encoding.
  response.writeHead(status, headers).end(body, length === body.length ? 'latin1' : 'utf8');
}

/** Sends whatever was thrown as `{ error, details? }`. What nobody expected is logged here, once, with its cause. */
export function sendError(request: EdgeRequest, response: Response, thrown: unknown, log: Logger): void {
  const error = edgeErrorOf(thrown);
  request.edge.code = error.code;
  if (error.status === 500)
    log.error({ requestId: request.edge.requestId, route: request.edge.route, error: thrown }, 'request failed');
  else if (error.status === 501 && error.cause)
    log.warn({ requestId: request.edge.requestId, route: request.edge.route, error: error.cause }, 'unavailable');
  if (response.headersSent) {
    // Too late for another answer: cut it off so that nobody takes half of it for the whole.
    response.destroy();
    return;
  }
  Object.assign(request.edge.headers, error.headers, { link: `</docs/errors#${error.code}>; rel="help"` });
  sendJson(request, response, error.status, JSON.stringify({ error: error.code, details: error.details }));
}
