import express, { Router } from 'express';
import { Eta } from 'eta';
import template from './dev-receiver.eta';

interface Received {
  readonly at: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const KEPT = 50;
const RECEIVERS = 100;
const SHOWN_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const eta = new Eta({ autoEscape: true });

/**
 * `/dev/webhooks/<name>`: a webhook endpoint for trying out. POST keeps what arrives (the newest fifty, in memory); GET shows it.
 * Only where the built-in mailbox is, never in production.
 */
export function devReceiver(): Router {
  const received = new Map<string, Received[]>();
  const router = Router();
  const route = router.route('/dev/webhooks/:name');

  route.post(express.text({ type: () => true, limit: '64kb' }), (request, response) => {
    const { name } = request.params;
    if (!received.has(name) && received.size >= RECEIVERS) received.delete(received.keys().next().value!);
    const headers = Object.fromEntries(SHOWN_HEADERS.map((header) => [header, request.get(header) ?? '']));
    received.set(
      name,
      [{ at: new Date(), headers, body: String(request.body) }, ...(received.get(name) ?? [])].slice(0, KEPT),
    );
    response.status(204).end();
  });

  route.get((request, response) => {
    const messages = (received.get(request.params.name) ?? []).map((each) => ({ ...each, body: readable(each.body) }));
    response
      .set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .type('html')
      .send(eta.renderString(template, { messages }));
  });
  return router;
}

/** Indented when it is JSON, else as it came. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
