import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { type Express } from 'express';
import { answersUnderWay, listen, type Listening } from '@invoicing/service';

const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the idle time of usual load balancers (60 s), so that it is they who close first.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};
const MAX_CONNECTIONS = 10_000;
const MAX_HEADERS = 100;

/**
 * Express replaces the prototypes of every request and response, which makes each of them slow. A server whose requests and responses
 * are created with the app's prototypes makes that a no-op: measured, an Express app then costs what bare node:http costs.
 * They must be real classes; constructors that only borrow the prototype (Reflect.construct) were slower than doing nothing.
 */
export function createExpressServer(app: Express, limits = timeouts): Server {
  class BornRequest extends IncomingMessage {}
  class BornResponse extends ServerResponse<IncomingMessage> {}
  Object.setPrototypeOf(BornRequest.prototype, app.request);
  Object.setPrototypeOf(BornResponse.prototype, app.response);
  app.request = BornRequest.prototype as Express['request'];
  app.response = BornResponse.prototype as Express['response'];
  // Without a Host header the app answers, with a body.
  const options = { IncomingMessage: BornRequest, ServerResponse: BornResponse, requireHostHeader: false, ...limits };
  return createServer(options, app);
}

/** Listens, with bounds on time and number for slow and greedy clients. */
export function listenAtEdge(
  server: Server,
  host: string,
  port: number,
  maxConnections = MAX_CONNECTIONS,
): Promise<Listening> {
  server.maxConnections = maxConnections;
  server.maxHeadersCount = MAX_HEADERS;
  const answering = answersUnderWay(server);
  server.on('clientError', (error: Error, socket: Socket) => {
    // In the middle of an answer another one would be taken for its body.
    for (const each of answering) if (each.socket === socket && each.headersSent) return void socket.destroy();
    refuseMalformed(error, socket);
  });
  return listen(server, { host, port, answering });
}

/** What is no HTTP at all, or came too slowly, never reaches the app. */
function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code, message] = FAULTS[error.code ?? ''] ?? [
    '400 Bad Request',
    'validation',
    'is not well-formed HTTP',
  ];
  const body = JSON.stringify({ error: code, details: [{ path: '', message }] });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      `x-request-id: ${randomUUID()}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** What Node's parser finds before there is a request: status, code, and what to do. */
const FAULTS: Record<string, readonly [string, string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'validation', 'the request came too slowly'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'validation', 'the headers are larger than 16 KiB'],
};
