import { Agent, ServerResponse } from 'node:http';
import { type Express, type Request, type RequestHandler, type Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { type Logger } from '@invoicing/telemetry';
import { type GatewayConfig } from '../config';
import { clientAddress } from '../edge/client-address';
import { EdgeError } from '../edge/edge-error';
import { type EdgeRequest } from '../edge/edge-request';
import { checkFraming, dropHopHeaders, prepareHeaders } from './backend-request';
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter';
import { refusePage } from './refusal-page';

interface Passage {
  readonly paths: readonly string[];
  readonly target: keyof GatewayConfig['pages'];
  readonly methods: readonly string[];
  /** Whether strangers are counted by their address: on what they look at, not on what providers report, which is money. */
  readonly isGuarded: boolean;
}

const READ = ['GET', 'HEAD'];
const READ_AND_POST = [...READ, 'POST'];

/** Which of the services' own pages are served under which paths. Each row has connections and a queue of its own. */
const PASSAGES: readonly Passage[] = [
  { paths: ['/p'], target: 'billing', methods: READ, isGuarded: true },
  { paths: ['/c', '/sandbox'], target: 'checkout', methods: READ_AND_POST, isGuarded: true },
  { paths: ['/app'], target: 'application', methods: READ_AND_POST, isGuarded: true },
  { paths: ['/providers'], target: 'checkout', methods: READ_AND_POST, isGuarded: false },
  { paths: ['/hooks'], target: 'notification', methods: ['POST'], isGuarded: false },
  // For trying out: they are not there in production.
  { paths: ['/dev/mail'], target: 'notification', methods: READ, isGuarded: false },
  { paths: ['/dev/webhooks'], target: 'notification', methods: READ_AND_POST, isGuarded: false },
];

// To the first byte of the answer, and between bytes: what hangs is not waited for, and everybody gets an answer.
const READ_BUDGET_MS = 2_800;
const WRITE_BUDGET_MS = 7_500;
// Documents are made when they are first asked for.
const DOCUMENT = /\.(pdf|xml|svg|csv|zip)$/;
const WAIT_MS = 10_000;
const BOUNDS: ConcurrencyLimits = { active: 256, activePerAddress: 64, waiting: 256 };
const RETRY_BUSY_SECONDS = 5;
const RETRY_UNAVAILABLE_SECONDS = 5;

/** Passes pages and callbacks through to the services that own them, untouched: mounted before anything reads a body. */
export function mountPassThrough(
  app: Express,
  pages: GatewayConfig['pages'],
  guard: RequestHandler,
  deadlineScale: number,
  log: Logger,
): { close: () => void } {
  const agents = PASSAGES.map(({ paths, target, methods, isGuarded }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: BOUNDS.active });
    const read = proxyTo(pages[target], agent, READ_BUDGET_MS * deadlineScale, log);
    const write = proxyTo(pages[target], agent, WRITE_BUDGET_MS * deadlineScale, log);
    const limiter = new ConcurrencyLimiter(BOUNDS);
    app.use((request, response, next) => {
      const page = paths.find((each) => request.path === each || request.path.startsWith(`${each}/`));
      if (!page) return next();
      (request as EdgeRequest).edge.route = `${page}/*`;
      if (!methods.includes(request.method))
        throw new EdgeError('method_not_allowed', { headers: { allow: methods.join(', ') } });
      checkFraming(request);
      const pass = (): void =>
        inTurn(limiter, request, response, () => {
          const isQuick = READ.includes(request.method) && !DOCUMENT.test(request.path);
          (isQuick ? read : write)(request, response, next);
        });
      return isGuarded ? guard(request, response, pass) : pass();
    });
    return agent;
  });
  return { close: () => agents.forEach((agent) => agent.destroy()) };
}

type OnError = (error: Error, request: Request, response: Response) => void;

/**
 * A replica that stops closes the connections that wait for their next request, and one may be on its way. What only looks is then asked
 * once more, on a connection of its own: a restart costs nobody a page. What hung is not waited for twice.
 */
function proxyTo(target: string, agent: Agent, budgetMs: number, log: Logger): RequestHandler {
  const startedAt = new WeakMap<Request, number>();
  const refuse: OnError = (error, request, response) => {
    const { requestId } = (request as EdgeRequest).edge;
    log.warn({ requestId, target, error }, 'page unavailable');
    refusePage(request, response, 'unavailable', RETRY_UNAVAILABLE_SECONDS);
  };
  const again = proxyOver(target, undefined, budgetMs, refuse);
  const first = proxyOver(target, agent, budgetMs, (error, request, response) => {
    const isEarly = performance.now() - startedAt.get(request)! < budgetMs * EARLY;
    if (isEarly && isOnlyLook(request) && !response.headersSent) void again(request, response, () => undefined);
    else refuse(error, request, response);
  });
  return (request, response, next) => {
    startedAt.set(request, performance.now());
    void first(request, response, next);
  };
}

const EARLY = 1 / 3;

const isOnlyLook = ({ method, headers }: Request): boolean =>
  READ.includes(method) && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;

function proxyOver(target: string, agent: Agent | undefined, budgetMs: number, onError: OnError) {
  return createProxyMiddleware<Request, Response>({
    target,
    ...(agent && { agent }),
    proxyTimeout: budgetMs,
    on: {
      // Only looks: with `Expect`, or after a wait in the agent, headers have left by now, and changing them would throw.
      proxyReq: (outgoing, incoming, response) => {
        const end = (): void => {
          outgoing.destroy();
          // What the client still sends is read and dropped, so that its next request is found.
          incoming.unpipe(outgoing).resume();
        };
        if (response.destroyed) end();
        else response.once('close', end);
      },
      proxyRes: (answer, _incoming, response) => {
        dropHopHeaders(answer);
        answer.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
        answer.headers['x-content-type-options'] ??= 'nosniff';
        // Cut off here when it was cut off there: nobody shall take half of it for the whole.
        answer.once('close', () => {
          if (!answer.complete) response.destroy();
        });
      },
      error: (error, request, response) => {
        // Its client has left.
        if (!(response instanceof ServerResponse) || response.destroyed || response.writableEnded) return;
        onError(error, request, response as Response);
      },
    },
  });
}

/** Lets a request go when its backend has room; one that cannot wait, or has waited too long, is answered 503 with Retry-After. */
function inTurn(limiter: ConcurrencyLimiter, request: Request, response: Response, go: () => void): void {
  let waits = true;
  const leave = limiter.enter(clientAddress(request), () => {
    waits = false;
    prepareHeaders(request);
    go();
  });
  if (!leave) return refusePage(request, response, 'busy', RETRY_BUSY_SECONDS);
  response.once('close', leave);
  if (!waits) return;
  const patience = setTimeout(() => {
    if (!waits) return;
    leave();
    refusePage(request, response, 'busy', RETRY_BUSY_SECONDS);
  }, WAIT_MS);
  response.once('close', () => clearTimeout(patience));
}
