import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { waitFor } from '@invoicing/testing';
import { FAIR, Link } from './link';

// The network that faults are put into must itself lose nothing while it is fair.

async function echo() {
  const server = createServer((socket) => void socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

function talk(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  const heard: Buffer[] = [];
  let isOver = false;
  socket
    .on('data', (chunk: Buffer) => heard.push(chunk))
    .on('error', () => undefined)
    .on('close', () => (isOver = true));
  return {
    say: (bytes: Buffer | string) => socket.write(bytes),
    heard: () => Buffer.concat(heard),
    isOver: () => isOver,
    end: () => socket.destroy(),
  };
}

test('passes everything on in order, also what is large', async () => {
  const server = await echo();
  const link = await Link.open('a to b', { port: server.port });
  const client = talk(link.port);
  const sent = Buffer.alloc(3_000_000, 'abcdefg');
  client.say(sent);
  await waitFor(() => client.heard().length === sent.length);
  expect(client.heard().equals(sent)).toBe(true);
  await link.close();
  server.close();
});

test('a partition holds everything back without a word, and what was said arrives afterwards', async () => {
  const server = await echo();
  const link = await Link.open('a to b', { port: server.port });
  const client = talk(link.port);
  client.say('1');
  await waitFor(() => client.heard().toString() === '1');
  link.set({ ...FAIR, isCut: true });
  client.say('2');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([client.heard().toString(), client.isOver()]).toEqual(['1', false]);
  link.set(FAIR);
  await waitFor(() => client.heard().toString() === '12');
  link.set(FAIR, { reset: true });
  await waitFor(() => client.isOver());
  await link.close();
  server.close();
});

test('loss ends connections; a target that is gone is passed over', async () => {
  const [gone, server] = [await echo(), await echo()];
  gone.close();
  const link = await Link.open('a to b', { port: gone.port }, { port: server.port });
  for (let i = 0; i < 4; i++) {
    const client = talk(link.port);
    client.say('x');
    await waitFor(() => client.heard().toString() === 'x');
    client.end();
  }
  link.set({ ...FAIR, loss: 1 });
  const client = talk(link.port);
  client.say('x');
  await waitFor(() => client.isOver());
  expect(client.heard()).toHaveLength(0);
  await link.close();
  server.close();
});
