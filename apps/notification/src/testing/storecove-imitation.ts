import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Response } from 'express';

interface Submission {
  readonly guid: string;
  readonly idempotencyGuid: string;
  readonly receiver: { readonly scheme: string; readonly id: string };
  readonly legalEntityId: number;
  readonly ubl: string;
  messageId?: string;
}

export const STORECOVE_KEY = 'storecove-key-of-the-imitation';
export const LEGAL_ENTITY = 4711;

/** What goes wrong with the next request whose path begins with `on`. */
export type StorecoveTrouble = { readonly on: string } & (
  | { readonly kind: 'status'; readonly status: number; readonly body?: unknown }
  /** The request is carried out, its answer never comes. */
  | { readonly kind: 'lost' }
);

/** Storecove's HTTP API v2 on this machine, as far as we use it, with faults on request. */
export class StorecoveImitation {
  /** Every submission that was processed; by their idempotencyGuid. */
  readonly submissions = new Map<string, Submission>();
  readonly requests: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];
  /** Ids of participants that are not on the network. */
  readonly unknown = new Set<string>();
  /** Whether the network acknowledges what is submitted at once. */
  acknowledges = true;
  private readonly queue: { readonly guid: string; readonly body: string }[] = [];
  private readonly troubles: StorecoveTrouble[] = [];
  private server: Server | undefined;

  get url(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}/api/v2`;
  }

  trouble(...troubles: StorecoveTrouble[]): void {
    this.troubles.push(...troubles);
  }

  /** The network's acknowledgement, or its failure, of a submission that is underway; both are told by the queue of webhooks. */
  settle(submission: Submission, event: 'succeeded' | 'failed', details = ''): void {
    if (event === 'succeeded') submission.messageId = `${submission.guid}@storecove`;
    const { guid, idempotencyGuid } = submission;
    this.push({ event_type: 'document_submission', event_group: 'sending', event, guid, idempotencyGuid, details });
  }

  /** Queues a webhook. */
  push(body: object): void {
    this.queue.push({ guid: randomUUID(), body: JSON.stringify(body) });
  }

  get waiting(): number {
    return this.queue.length;
  }

  async start(): Promise<void> {
    const app = express();
    app.use(express.json({ limit: '10mb' }));
    app.use((request, response, next) => {
      const path = request.path.replace('/api/v2', '');
      this.requests.push({ method: request.method, path, body: request.body as unknown });
      if (request.get('authorization') !== `Bearer ${STORECOVE_KEY}`) return void response.sendStatus(401);
      const at = this.troubles.findIndex(({ on }) => path.startsWith(on));
      const [trouble] = at < 0 ? [] : this.troubles.splice(at, 1);
      if (trouble?.kind === 'status') return void response.status(trouble.status).json(trouble.body ?? {});
      if (trouble?.kind === 'lost') response.json = () => response.destroy() as never;
      next();
    });
    this.routes(app);
    this.server = app.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  stop(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private routes(app: Express): void {
    app.get('/api/v2/legal_entities/:id', (request, response) => {
      if (Number(request.params.id) === LEGAL_ENTITY) response.json({ id: LEGAL_ENTITY, party_name: 'Bakkerij' });
      else response.sendStatus(404);
    });
    app.post('/api/v2/discovery/receives', (request, response) => {
      const { identifier } = request.body as { identifier: string };
      response.json({ code: this.unknown.has(identifier) ? 'NOK' : 'OK', email: false });
    });
    app.post('/api/v2/document_submissions', (request, response) => this.submit(request.body as never, response));
    app.get('/api/v2/document_submissions/:guid/evidence/sending', ({ params }, response) => {
      const found = [...this.submissions.values()].find(({ guid }) => guid === params.guid);
      if (!found?.messageId) return void response.sendStatus(404);
      const evidence = { message_id: found.messageId, receiving_accesspoint: 'POP000999' };
      response.json({ network: 'peppol', receiver: found.receiver, evidence, documents: [] });
    });
    app.get('/api/v2/webhook_instances', (_request, response) => {
      const [first] = this.queue;
      if (first) response.json(first);
      else response.sendStatus(204);
    });
    app.delete('/api/v2/webhook_instances/:guid', ({ params }, response) => {
      const at = this.queue.findIndex(({ guid }) => guid === params.guid);
      if (at >= 0) this.queue.splice(at, 1);
      response.sendStatus(204);
    });
  }

  private submit(
    asked: {
      legalEntityId: number;
      idempotencyGuid: string;
      routing: { eIdentifiers: [{ scheme: string; id: string }] };
      document: { documentType: string; rawDocumentData: { document: string; parseStrategy: string } };
    },
    response: Response,
  ): void {
    const { legalEntityId, idempotencyGuid, document } = asked;
    const isWrong = document.documentType !== 'invoice' || document.rawDocumentData.parseStrategy !== 'ubl';
    if (isWrong || legalEntityId !== LEGAL_ENTITY)
      return void response.status(422).json([{ source: 'document', details: 'is not valid' }]);
    // "Only the first one will be processed and any subsequent ones will trigger an HTTP 422."
    if (this.submissions.has(idempotencyGuid))
      return void response.status(422).json([{ source: 'idempotencyGuid', details: 'has already been used' }]);
    const submission: Submission = {
      guid: randomUUID(),
      idempotencyGuid,
      receiver: asked.routing.eIdentifiers[0],
      legalEntityId,
      ubl: Buffer.from(document.rawDocumentData.document, 'base64').toString(),
    };
    this.submissions.set(idempotencyGuid, submission);
    if (this.acknowledges) this.settle(submission, 'succeeded');
    response.json({ guid: submission.guid });
  }
}
