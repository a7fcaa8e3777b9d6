import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'nats';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { eventTypes } from '@invoicing/rules';
import { brokerOptions } from './broker-options';
import { connectEvents } from './connect-events';
import { consumeEvents } from './consume-events';
import { freePort, natsServerBinary } from './nats-server';

// With the configuration that docker-compose.yml mounts, moved to a free port and a folder of its own.
const configuration = readFileSync(resolve(__dirname, '../../../deploy/nats/nats.conf'), 'utf8');
const USERS = ['gateway', 'billing', 'checkout', 'notification'] as const;
let folder: string;
let broker: ChildProcess;
let port: number;

beforeAll(async () => {
  folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  port = await freePort();
  const file = join(folder, 'nats.conf');
  writeFileSync(
    file,
    configuration
      .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
      .replace('0.0.0.0:8222', `127.0.0.1:${await freePort()}`)
      .replace('/data', join(folder, 'store')),
  );
  const passwords = USERS.map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, `p@ss/word-${user}`]);
  const env = { ...process.env, ...Object.fromEntries(passwords) };
  broker = spawn(natsServerBinary(), ['--config', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((ready, failed) => {
    broker.stderr!.on('data', (chunk: Buffer) => chunk.includes('Server is ready') && ready());
    broker.once('exit', (code) => failed(new Error(`nats-server stopped with code ${code}`)));
  });
});
afterAll(async () => {
  broker.kill();
  await once(broker, 'exit');
  execFileSync('rm', ['-r', folder]);
});

const urlOf = (user: (typeof USERS)[number]): string =>
  `nats://${user}:${encodeURIComponent(`p@ss/word-${user}`)}@127.0.0.1:${port}`;

const SOURCES: Record<string, 'billing' | 'checkout' | 'notification'> = {
  ...{ invoice: 'billing', payment: 'billing', subscription: 'billing', checkout: 'checkout', mail: 'notification' },
  peppol: 'notification',
};

test('the credentials of the address are used; every event goes its whole way with what each service may', async () => {
  const sources = ['billing', 'checkout', 'notification'] as const;
  const [billing, checkout, notification] = await Promise.all(
    sources.map((name) => connectEvents({ url: urlOf(name), name })),
  );
  const connections = { billing: billing!, checkout: checkout!, notification: notification! };
  const settled: string[] = [];
  for (const source of sources)
    connections[source].subscribe(`settled.${source}`, {
      callback: (_error, report) => void settled.push(`${source} ${report.string()}`),
    });
  const handled: string[] = [];
  const consumer = consumeEvents({
    connection: connections.notification,
    durable: 'notification',
    handle: async ({ id }) => void handled.push(id),
    onError: (error) => handled.push(String(error)),
  });
  for (const type of eventTypes) {
    const source = SOURCES[type.split('.')[0]!]!;
    const event = Event.fromPartial({ id: type, type, source, occurredAt: new Date() });
    await connections[source].jetstream().publish(`events.${type}`, JSON.stringify(Event.toJSON(event)));
  }
  await waitUntil(() => settled.length === eventTypes.length);
  expect(handled.sort()).toEqual([...eventTypes].sort());
  expect(settled.sort()).toEqual(eventTypes.map((type) => `${SOURCES[type.split('.')[0]!]} ${type}`).sort());
  await consumer.close();
  await Promise.all(Object.values(connections).map((each) => each.close()));
});

test('no service makes up the events of another, reads them, or listens to what another is answered', async () => {
  const refusals: string[] = [];
  const open = async (user: (typeof USERS)[number]) => {
    const connection = await connect({ ...brokerOptions(urlOf(user)), timeout: 2_000 });
    void (async () => {
      for await (const status of connection.status())
        if (status.type === 'error') refusals.push(`${user} ${String(status.permissionContext?.subject)}`);
    })();
    return connection;
  };
  const [billing, checkout, gateway] = await Promise.all([open('billing'), open('checkout'), open('gateway')]);
  checkout.publish('events.invoice.paid', 'made up');
  billing.publish('events.checkout.paid', 'made up');
  billing.publish('$JS.API.STREAM.DELETE.EVENTS', '');
  for (const subject of ['events.>', 'settled.checkout', '_INBOX.notification.>'])
    billing.subscribe(subject, { callback: () => undefined });
  gateway.publish('events.invoice.paid', 'made up');
  await Promise.all([billing.flush(), checkout.flush(), gateway.flush()]);
  await waitUntil(() => refusals.length === 7);
  expect(refusals.sort()).toEqual([
    'billing $JS.API.STREAM.DELETE.EVENTS',
    'billing _INBOX.notification.>',
    'billing events.>',
    'billing events.checkout.paid',
    'billing settled.checkout',
    'checkout events.invoice.paid',
    'gateway events.invoice.paid',
  ]);
  await Promise.all([billing.close(), checkout.close(), gateway.close()]);
});

async function waitUntil(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo() && waited < 100; waited++) await setTimeout(50);
}

test('without them nobody gets in', async () => {
  const options = { ...brokerOptions(`127.0.0.1:${port}`), maxReconnectAttempts: 0 };
  await expect(connect(options)).rejects.toThrow(/authorization/i);
});

test('several addresses, encryption', () => {
  expect(brokerOptions('tls://a:b@one:4222,two:4222')).toEqual({
    servers: ['one:4222', 'two:4222'],
    user: 'a',
    pass: 'b',
    inboxPrefix: '_INBOX.a',
    tls: {},
  });
});
