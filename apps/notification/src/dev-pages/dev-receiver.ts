import express, { Router } from 'express';
import { Eta } from 'eta';
import { stylesheet } from '@invoicing/design';
import { hashSource } from './hash-source';
import script from './dev-receiver.client.js';
import ownCss from './dev-receiver.css';
import template from './dev-receiver.eta';
import { verifyReceived, type KnownSecrets, type Verdict } from './verify-received';

interface Received {
  readonly at: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly verdict: Verdict;
  readonly body: string;
}

interface Receiver {
  /** Since the start; more than are kept. */
  count: number;
  newest: Received[];
}

const KEPT = 50;
const RECEIVERS = 100;
const SHOWN_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const eta = new Eta({ autoEscape: true });
const css = `${stylesheet([])}\n${ownCss}`;
const PAGE_POLICY =
  `default-src 'none'; style-src ${hashSource(css)}; script-src ${hashSource(script)}; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * `/dev/webhooks/<name>`: a webhook endpoint for trying out. POST keeps what arrives (the newest fifty, in memory) and whether it
 * verifies; GET shows it. Only where the built-in mailbox is, never in production.
 */
export function devReceiver(known: KnownSecrets): Router {
  const receivers = new Map<string, Receiver>();
  const router = Router();
  const route = router.route('/dev/webhooks/:name');

  route.post(express.raw({ type: () => true, limit: '64kb' }), async (request, response) => {
    const { name } = request.params;
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const headers = Object.fromEntries(SHOWN_HEADERS.map((header) => [header, request.get(header) ?? '']));
    const verdict = await verifyReceived(known, request.path, bytes, headers);
    if (!receivers.has(name) && receivers.size >= RECEIVERS) receivers.delete(receivers.keys().next().value!);
    const { count, newest } = receivers.get(name) ?? { count: 0, newest: [] };
    const message = { at: new Date(), headers, verdict, body: bytes.toString() };
    receivers.set(name, { count: count + 1, newest: [message, ...newest].slice(0, KEPT) });
    response.status(204).end();
  });

  route.get((request, response) => {
    const { count, newest } = receivers.get(request.params.name) ?? { count: 0, newest: [] };
    const messages = newest.map((each) => ({ ...each, ...readable(each.body) }));
    response
      .set({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-store', 'x-received': String(count) })
      .type('html')
      .send(eta.renderString(template, { messages, received: count, kept: KEPT, css, script }));
  });
  return router;
}

/** Indented and named by its type when it is JSON, else as it came. */
function readable(text: string): { type: string; body: string } {
  try {
    const parsed = JSON.parse(text) as { type?: unknown } | null;
    const type = typeof parsed?.type === 'string' ? parsed.type : 'no type';
    return { type, body: JSON.stringify(parsed, null, 2) };
  } catch {
    return { type: 'not JSON', body: text };
  }
}
