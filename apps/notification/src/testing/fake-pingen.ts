import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { PingenOptions } from '../letters/pingen-client';

interface PingenLetter {
  readonly attributes: Record<string, unknown>;
  status: string;
}

/** Pingen's HTTP API as far as letters need it, kept in memory. */
export async function startFakePingen() {
  const letters = new Map<string, PingenLetter>();
  const byKey = new Map<string, string>();
  const uploads = new Map<string, Buffer>();
  const state = { tokens: 0, refuse: 0, dropAfterCreate: 0 };

  const server = createServer((request, response) => {
    const send = (status: number, body: object = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/vnd.api+json' }).end(JSON.stringify(body));
    const shown = (id: string, { status }: PingenLetter) => ({ data: { id, type: 'letters', attributes: { status } } });
    const route = async (): Promise<void> => {
      const { method, url = '', headers } = request;
      const body = await buffer(request);
      if (url === '/auth/access-tokens') {
        const form = new URLSearchParams(body.toString());
        if (form.get('client_id') !== 'id' || form.get('client_secret') !== 'secret') return send(401);
        state.tokens++;
        return send(200, { access_token: `token-${state.tokens}`, expires_in: 3_600, token_type: 'Bearer' });
      }
      if (method === 'PUT' && url.startsWith('/storage/')) {
        if (headers.authorization) return send(400);
        uploads.set(url, body);
        return send(200);
      }
      if (headers.authorization !== `Bearer token-${state.tokens}`) return send(401);
      if (url === '/file-upload') {
        const attributes = { url: `http://${headers.host}/storage/${randomUUID()}`, url_signature: 'signature' };
        return send(200, { data: { id: randomUUID(), type: 'file_uploads', attributes } });
      }
      if (method === 'POST' && url === '/organisations/org/deliveries/letters') {
        if (state.refuse > 0) return send(state.refuse);
        const key = String(headers['idempotency-key']);
        const { attributes } = JSON.parse(body.toString()).data as { attributes: Record<string, unknown> };
        const id = byKey.get(key) ?? randomUUID();
        if (!byKey.has(key)) letters.set(id, { attributes, status: 'validating' });
        byKey.set(key, id);
        if (state.dropAfterCreate-- > 0) return void request.socket.destroy();
        return send(201, shown(id, letters.get(id)!));
      }
      const letter = letters.get(url.split('/').at(-1)!);
      return letter ? send(200, shown(url.split('/').at(-1)!, letter)) : send(404);
    };
    route().catch(() => send(500));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options: PingenOptions = {
    clientId: 'id',
    clientSecret: 'secret',
    organisationId: 'org',
    apiUrl: url,
    identityUrl: url,
  };
  return {
    options,
    letters,
    state,
    pdfOf: (id: string): Buffer | undefined =>
      uploads.get(new URL(String(letters.get(id)!.attributes['file_url'])).pathname),
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
