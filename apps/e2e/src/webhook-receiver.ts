import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An integrator's endpoint: keeps what it gets and answers 204. */
export async function startReceiver(): Promise<{ url: string; received: ReceivedWebhook[]; close: () => void }> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
