import { ConfigError } from '@invoicing/config';
import { loadConfig } from './config';

const env = { MONGODB_URI: 'mongodb://user:secret@store/', NATS_URL: 'nats://broker', SERVICE_TOKEN: 'token' };

test('what is given, and defaults for the rest', () => {
  expect(loadConfig({ ...env, PUBLIC_URL: 'https://pay.example/', BILLING_PORT: '6000' })).toMatchObject({
    port: 6000,
    httpPort: 8081,
    publicUrl: 'https://pay.example',
    catalogAddress: '127.0.0.1:50052',
  });
});

test('the summary shows no secret', () => {
  const shown = JSON.stringify(loadConfig(env).summary);
  expect(shown).not.toContain('secret');
  expect(shown).not.toContain('"token"');
});

test('every fault is said at once', () => {
  const load = () => loadConfig({ BILLING_PORT: 'x' });
  expect(load).toThrow(ConfigError);
  for (const name of ['MONGODB_URI', 'NATS_URL', 'SERVICE_TOKEN', 'BILLING_PORT']) expect(load).toThrow(name);
});
