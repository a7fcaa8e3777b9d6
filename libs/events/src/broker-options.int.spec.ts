import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connect } from 'nats';
import { brokerOptions } from './broker-options';
import { freePort, natsServerBinary } from './nats-server';

// With the configuration that docker-compose.yml mounts, moved to a free port and a folder of its own.
const configuration = readFileSync(resolve(__dirname, '../../../deploy/nats/nats.conf'), 'utf8');
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
  const env = { ...process.env, NATS_PASSWORD: 'p@ss/word' };
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

test('the credentials of the address are used, and JetStream is there', async () => {
  const connection = await connect(
    brokerOptions(`nats://invoicing:${encodeURIComponent('p@ss/word')}@127.0.0.1:${port}`),
  );
  expect((await (await connection.jetstreamManager()).getAccountInfo()).streams).toBe(0);
  await connection.close();
});

test('without them nobody gets in', async () => {
  const options = { ...brokerOptions(`127.0.0.1:${port}`), maxReconnectAttempts: 0 };
  await expect(connect(options)).rejects.toThrow(/authorization/i);
});

test('several addresses, encryption', () => {
  expect(brokerOptions('tls://a:b@one:4222,two:4222')).toEqual({
    servers: ['one:4222', 'two:4222'],
    user: 'a',
    pass: 'b',
    tls: {},
  });
});
