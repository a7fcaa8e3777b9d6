import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import { brokerOptions } from './broker-options';
import { startNatsServer, type NatsServer } from './nats-server';

const folder = mkdtempSync(join(tmpdir(), 'nats-user-'));
let server: NatsServer;
beforeAll(async () => (server = await startNatsServer({ folder, user: 'platform', password: 'geheim' })));
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test('a broker with a user admits that user, and nobody else', async () => {
  const connection = await connect({ ...brokerOptions(server.url), reconnect: false });
  await connection.flush();
  await connection.close();
  const { host } = new URL(server.url);
  for (const who of [{}, { user: 'platform', pass: 'wrong' }])
    await expect(connect({ servers: host, ...who, reconnect: false })).rejects.toMatchObject({
      code: 'AUTHORIZATION_VIOLATION',
    });
});

test('the password stands in a file that is its owner’s alone, and not among the arguments', () => {
  expect(statSync(join(folder, 'nats-server.conf')).mode & 0o777).toBe(0o600);
  expect(server.process.spawnargs.join(' ')).not.toContain('geheim');
});
