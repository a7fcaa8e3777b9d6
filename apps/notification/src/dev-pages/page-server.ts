import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { listen, type Listening } from '@invoicing/service';
import type { Logger } from '@invoicing/telemetry';

/**
 * Serves this service's few pages and the hooks that others report to; the gateway passes them through. `load` makes the pages when somebody
 * first asks; undefined = none.
 */
export function servePages(
  host: string,
  port: number,
  load: (() => Promise<RequestListener>) | undefined,
  hooks: Readonly<Record<string, RequestListener>>,
  log: Logger,
): Promise<Listening> {
  let pages: Promise<RequestListener> | undefined;
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    const hook = Object.entries(hooks).find(([path]) => path === request.url)?.[1];
    if (hook) return hook(request, response);
    if (!load) {
      answerError(response, 404, 'not_found');
      return;
    }
    pages ??= load();
    pages.then(
      (listener) => listener(request, response),
      (error: unknown) => {
        log.error({ error }, 'pages do not load');
        answerError(response, 500, 'generic');
      },
    );
  });
  return listen(server, { host, port });
}

const answerError = (response: ServerResponse, status: number, error: string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
