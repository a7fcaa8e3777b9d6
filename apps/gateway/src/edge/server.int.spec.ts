import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { waitFor } from '@invoicing/testing';
import { transportResponses } from '../openapi/error-responses';
import { startEdge, startTestGateway } from '../testing/test-gateway';
import { createExpressServer, listenAtEdge } from './server';

const timeouts = { headersTimeout: 300, requestTimeout: 600, keepAliveTimeout: 300, connectionsCheckingInterval: 50 };

/** What a raw connection is told before it is closed. */
async function talk(port: number, write: (socket: Socket) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  // A reset is an end, too.
  socket.on('error', () => undefined);
  write(socket);
  // Not `once`: it would reject at an error.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([closed, sleep(5_000, undefined, { ref: false })]);
  socket.destroy();
  return text;
}

describe('transport', () => {
  let server: Awaited<ReturnType<typeof listenAtEdge>>;
  beforeAll(async () => {
    const app = express();
    app.post('/', (request, response) => void request.resume().on('end', () => response.end('done')));
    app.post('/half', (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '1000' }).write('half');
    });
    app.get('/', (request, response) => {
      const isBorn = Object.getPrototypeOf(request) === app.request && Object.getPrototypeOf(response) === app.response;
      response.json({ isBorn, ip: request.ip, isRequest: typeof request.get === 'function' });
    });
    server = await listenAtEdge(createExpressServer(app, timeouts), '127.0.0.1', 0);
  });
  afterAll(() => server.close());

  test('requests and responses are created with the prototypes of Express', async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(await answer.json()).toEqual({ isBorn: true, ip: '127.0.0.1', isRequest: true });
  });

  test('a client that is slow with its headers or its body is cut off', async () => {
    expect(await talk(server.port, (socket) => socket.write('GET / HTTP/1.1\r\nhost: a\r\nx-slow: '))).toContain('408');
    const slowBody = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n1';
    const answer = await talk(server.port, (socket) => socket.write(slowBody));
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    // As the document says: RequestTimeout.
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^x-request-id: [0-9a-f-]{36}$/m);
    expect(head).toMatch(/^connection: close$/m);
    const { content } = transportResponses.RequestTimeout;
    expect(JSON.parse(body)).toEqual(content['application/json'].examples.validation.value);
  });

  test('a body that is slow while its answer flows is cut off, and no second answer gets into the first', async () => {
    const slowBody = 'POST /half HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n1';
    expect(await talk(server.port, (socket) => socket.write(slowBody))).toMatch(/^HTTP\/1.1 200 [^]*half$/);
  });

  test('an idle connection is closed', async () => {
    expect(await talk(server.port, (socket) => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'))).toContain('200 OK');
  });

  test('what is no HTTP gets a JSON refusal', async () => {
    const ask = (text: string): Promise<string> => talk(server.port, (socket) => socket.write(text));
    expect(await ask('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    const large = `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`;
    expect(await ask(large)).toMatch(/^HTTP\/1.1 431 /);
  });

  test('two lengths of one body are refused', async () => {
    const smuggled = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await talk(server.port, (socket) => socket.write(smuggled))).toMatch(/^HTTP\/1.1 400 /);
  });
});

test('connections beyond the cap are closed at once, and there is room again when one ends', async () => {
  const app = express().get('/', (_request, response) => void response.end('here'));
  const server = await listenAtEdge(createExpressServer(app), '127.0.0.1', 0, 2);
  const ask = (socket: Socket): boolean => socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  const idle = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect(await talk(server.port, ask)).toBe('');
  idle[0]?.destroy();
  await waitFor(async () => (await talk(server.port, ask)).includes('here'));
  idle[1]?.destroy();
  await server.close();
});

test('the gateway runs with its bounds on time, not with those of Node', async () => {
  const edge = await startEdge();
  let server: Server | undefined;
  const look = (message: unknown): void => void ({ server } = message as { server: Server });
  subscribe('http.server.request.start', look);
  await edge.gateway.send('GET', '/api/health');
  unsubscribe('http.server.request.start', look);
  expect((server?.address() as AddressInfo).port).toBe(Number(new URL(edge.gateway.url).port));
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 });
  expect(server).toMatchObject({ maxConnections: 10_000, maxHeadersCount: 100 });
  await edge.close();
});

test('a body that does not end is refused at 16 MiB, and its connection with it', async () => {
  const edge = await startEdge();
  const { secret } = await edge.gateway.createKey({ organizationId: edge.services.addOrganization().id });
  const port = Number(new URL(edge.gateway.url).port);
  const chunk = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
  const text = await talk(port, (socket) => {
    socket.write('POST /api/v1/customers HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n');
    socket.write(`authorization: Bearer ${secret}\r\ncontent-type: application/json\r\n\r\n`);
    for (let sent = 0; sent < 17; sent++) socket.write(chunk);
  });
  expect(text).toMatch(/^HTTP\/1.1 413 /);
  expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
  await edge.close();
});

test('a body of several MiB gets its 413, and the connection lives on', async () => {
  const edge = await startEdge();
  const { secret } = await edge.gateway.createKey({ organizationId: edge.services.addOrganization().id });
  const port = Number(new URL(edge.gateway.url).port);
  const head = `POST /api/v1/customers HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secret}\r\ncontent-type: application/json\r\n`;
  const size = 4 * 1024 * 1024;
  const text = await talk(port, (socket) => {
    socket.write(`${head}content-length: ${size}\r\n\r\n`);
    socket.write('x'.repeat(size));
    socket.write('GET /api/v1/nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  });
  expect(text).toMatch(/^HTTP\/1.1 413 /);
  expect(text).toContain('HTTP/1.1 404 ');
  await edge.close();
});

test('an accepted request is answered although the gateway is stopping', async () => {
  const edge = await startEdge();
  const replica = await startTestGateway(edge.store, edge.services);
  const { secret: key } = await replica.createKey({ organizationId: edge.services.addOrganization().id });
  let release = (): void => undefined;
  edge.services.state.beforeWrite = () => new Promise((resolve) => (release = resolve));
  const answering = replica.send('POST', '/api/v1/customers', { key, body: { name: 'Jan' } });
  await waitFor(() => edge.services.state.operations.length > 0);
  const closing = replica.close();
  await expect(replica.send('GET', '/api/health')).rejects.toThrow();
  release();
  const answer = await answering;
  expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
  await closing;
  edge.services.state.beforeWrite = async () => undefined;
  await edge.close();
});
