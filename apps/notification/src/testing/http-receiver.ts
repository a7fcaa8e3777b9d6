import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly at: number;
}

export interface HttpReceiver {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedWebhook[];
  close: () => Promise<void>;
}

/** A receiver of webhooks on loopback; `answer` decides what it says. */
export async function startReceiver(
  answer: (webhook: ReceivedWebhook, response: ServerResponse, request: IncomingMessage) => void = (
    _webhook,
    response,
  ) => void response.writeHead(204).end(),
): Promise<HttpReceiver> {
  const received: ReceivedWebhook[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook: ReceivedWebhook = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        at: performance.timeOrigin + performance.now(),
      };
      received.push(webhook);
      answer(webhook, response, request);
    });
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
