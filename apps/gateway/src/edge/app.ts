import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type Logger } from '@invoicing/telemetry';
import { mountSite, type Site } from '../openapi/site-routes';
import { pageGuard } from '../pages/page-guard';
import { mountPassThrough } from '../pages/pass-through';
import { type GatewayConfig } from '../config';
import { isOpen, type OpenPorts, type Route } from '../routes/route';
import type { EndedRequest } from '../requests/request-log';
import { type StreamPorts } from '../streams/stream';
import { streamHandlers } from '../streams/stream-server';
import { EdgeError, validation } from './edge-error';
import { beginRequests, type EdgeRequest } from './edge-request';
import { CrashOnPurpose, countMiss, operationHandler, type OperationPorts } from './operation-handler';
import { preflight } from './preflight';
import { sendError, sendJson } from './send';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly operations: OperationPorts;
  readonly open: OpenPorts;
  readonly streams: StreamPorts;
  readonly pages: GatewayConfig['pages'];
  readonly pageRateLimitPerMinute: number;
  readonly trustedProxies: readonly string[];
  /** The pages of the edge itself. */
  readonly site: Omit<Site, 'document'>;
  /** What programs asked, once it is answered. */
  readonly onRequestEnd?: (request: EndedRequest) => void;
  readonly log: Logger;
}

type Handler = (request: EdgeRequest, response: Response) => Promise<void>;

/** The whole edge as one Express app: the API by its table, the reference, the services' pages, and 404 for the rest. */
export function createApp(options: AppOptions): { app: Express; close: () => void } {
  const { routes, log } = options;
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', options.trustedProxies);
  const begin = beginRequests(log, options.onRequestEnd);
  const dispatch = dispatcher(routes, options);
  app.use((request, response, next) => {
    begin(request, response);
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      throw validation([{ path: '', message: 'header Host is required' }]);
    }
    return dispatch(request, response, next);
  });
  const guard = pageGuard(options.pageRateLimitPerMinute);
  mountSite(app, { ...options.site, document: options.open.document }, guard);
  const pages = mountPassThrough(app, options.pages, guard, options.operations.deadlineScale, log);
  app.use(async (request) => {
    await countMiss(request as EdgeRequest, options.operations);
    throw new EdgeError('not_found');
  });
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    sendError(request as EdgeRequest, response, error, log),
  );
  return { app, close: pages.close };
}

/** All paths of the API are fixed: one look into a map finds the row, however many there are. */
function dispatcher(routes: readonly Route[], options: AppOptions) {
  const handlers = new Map<string, Map<string, Handler>>();
  for (const route of routes) {
    const methods = handlers.get(route.path) ?? new Map<string, Handler>();
    const handler = isOpen(route) ? openHandler(route, options.open) : operationHandler(route, options.operations);
    handlers.set(route.path, methods.set(route.method, handler));
    if (isOpen(route) && route.cors) methods.set('OPTIONS', preflight);
  }
  for (const { path, handler } of streamHandlers(options.operations, options.streams, options.log))
    handlers.set(path, (handlers.get(path) ?? new Map<string, Handler>()).set('GET', handler));
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { path } = request;
    const methods = handlers.get(path);
    if (!methods) return next();
    const edge = (request as EdgeRequest).edge;
    edge.route = path;
    const handler = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    try {
      if (!handler) {
        await countMiss(request as EdgeRequest, options.operations);
        throw new EdgeError('method_not_allowed', { headers: { allow: allowed(methods) } });
      }
      await handler(request as EdgeRequest, response);
    } catch (error) {
      if (error instanceof CrashOnPurpose) request.socket.destroy();
      else sendError(request as EdgeRequest, response, error, options.log);
    }
  };
}

const allowed = (methods: ReadonlyMap<string, unknown>): string =>
  [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');

const openHandler =
  (route: Extract<Route, { open: true }>, ports: OpenPorts): Handler =>
  async (request, response) => {
    if (route.cors) request.edge.headers['access-control-allow-origin'] = '*';
    const { status, body } = await route.answer(ports);
    sendJson(request, response, status, body);
  };
