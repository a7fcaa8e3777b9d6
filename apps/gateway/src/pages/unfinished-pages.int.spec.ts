import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { waitFor } from '@invoicing/testing';
import { startRawBackend, talkRaw, type RawBackend } from '../testing/raw-backend';
import { startEdge } from '../testing/test-gateway';

// Requests and answers that end before they are whole, on either side.

let hanging: RawBackend;
let odd: Server;
let edge: Awaited<ReturnType<typeof startEdge>>;
let port: number;
/** Connections from the gateway to the odd backend that are open. */
let oddSockets: Set<Socket>;

beforeAll(async () => {
  hanging = await startRawBackend();
  oddSockets = new Set();
  odd = createServer((request, response) => {
    if (request.url === '/c/cut') {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setTimeout(() => response.destroy(), 50);
    } else response.end('early');
  });
  odd.on('connection', (socket) => {
    oddSockets.add(socket);
    socket.on('close', () => oddSockets.delete(socket));
  });
  odd.listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const oddUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  const pages = { billing: hanging.url, checkout: oddUrl, notification: oddUrl, application: oddUrl };
  edge = await startEdge({ pages });
  port = Number(new URL(edge.gateway.url).port);
});
afterAll(async () => {
  await edge.close();
  odd.closeAllConnections();
  odd.close();
  await hanging.close();
});

test('a client that leaves makes room at once: in the count of its address and at the backend', async () => {
  hanging.hang(['/p/']);
  for (let round = 0; round < 3; round++) {
    const before = hanging.seen.length;
    const clients = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
    for (const client of clients) client.write('GET /p/t HTTP/1.1\r\nhost: a\r\n\r\n');
    await waitFor(() => hanging.seen.length === before + 64);
    expect(await talkRaw(port, 'GET /p/t HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 429 /);
    for (const client of clients) client.destroy();
    await waitFor(() => hanging.open() === 0);
  }
  hanging.hang([]);
  expect((await edge.gateway.send('GET', '/p/t')).status).toBe(200);
});

test('an answer before the body is whole frees the backend, and the client may ask on', async () => {
  const client = connect(port, '127.0.0.1');
  let told = '';
  client.on('data', (chunk: Buffer) => (told += chunk.toString()));
  client.write('POST /c/t HTTP/1.1\r\nhost: a\r\ncontent-length: 1048576\r\n\r\n0123456789');
  await waitFor(() => told.includes('early'));
  await waitFor(() => oddSockets.size === 0);
  client.write(`${'x'.repeat(1_048_576 - 10)}GET /c/next HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  await once(client, 'close');
  expect(told.match(/HTTP\/1.1 200 /g)).toHaveLength(2);
});

test('half an answer is not taken for the whole', async () => {
  await expect(fetch(`${edge.gateway.url}/c/cut`).then((answer) => answer.text())).rejects.toThrow();
});
