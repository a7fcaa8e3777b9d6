import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import type { Logger } from '@invoicing/telemetry';
import { inboxPage } from './inbox-page';
import { devReceiver } from './dev-receiver';
import type { KnownSecrets } from './verify-received';

/** Express says by `status` what is the asker's fault: a path that cannot be decoded, a body that is too large. */
type PageError = NodeJS.ErrnoException & { readonly status?: number };

const errorCodes: Record<number, string> = { 404: 'not_found', 413: 'payload_too_large' };

/** `/dev/mail` and `/dev/webhooks`: for trying out, never in production. They answer to `publicHost`, loopback names and addresses. */
export function devPages(mailbox: string, known: KnownSecrets, publicHost: string, log: Logger): RequestListener {
  const app = express().disable('x-powered-by').set('etag', false);
  app.use((_request, response, next) => {
    response.set({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    next();
  });
  // Whoever's name leads a browser here for a moment must not read the mail with it (DNS rebinding).
  app.use((request, response, next) => {
    const host = hostOf(request.get('x-forwarded-host') ?? request.get('host') ?? '');
    if (isKnownHost(host, publicHost)) return next();
    response.status(421).json({ error: 'not_found' });
  });
  app.use(inboxPage(mailbox), devReceiver(known));
  app.use((_request, response) => void response.status(404).json({ error: 'not_found' }));
  const onError: ErrorRequestHandler = (error: PageError, request, response, _next) => {
    const status = error.code === 'ENOENT' ? 404 : (error.status ?? 500);
    if (status >= 500) log.error({ error, path: request.path }, 'page failed');
    response.status(status).json({ error: errorCodes[status] ?? (status < 500 ? 'validation' : 'generic') });
  };
  app.use(onError);
  return app;
}

/** Without its port; an IPv6 address without its brackets. */
const hostOf = (header: string): string =>
  header
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();

/** An address cannot be rebound to another one, and nobody else can have `localhost`. */
const isKnownHost = (host: string, publicHost: string): boolean =>
  isIP(host) !== 0 || host === 'localhost' || host.endsWith('.localhost') || host === publicHost;
