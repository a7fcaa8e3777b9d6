import { ConfigError } from '@invoicing/config';
import { loadConfig } from './config';

const load = (env: NodeJS.ProcessEnv) => loadConfig({ MONGODB_URI: 'mongodb://127.0.0.1', SERVICE_TOKEN: 'x', ...env });

test('nobody is a trusted proxy unless it is said', () => {
  expect(load({}).trustedProxies).toEqual([]);
  expect(load({ TRUSTED_PROXIES: '' }).trustedProxies).toEqual([]);
  expect(load({ TRUSTED_PROXIES: '10.0.0.1, 172.16.0.0/12,2001:db8::/32' }).trustedProxies).toEqual([
    '10.0.0.1',
    '172.16.0.0/12',
    '2001:db8::/32',
  ]);
});

test.each(['0.0.0.0/0', '::/0', 'proxy.example', '10.0.0.0/33', '10.0.0.1 10.0.0.2'])(
  '%s as a trusted proxy stops the process',
  (entry) => {
    expect(() => load({ TRUSTED_PROXIES: `10.0.0.1,${entry}` })).toThrow(ConfigError);
    expect(() => load({ TRUSTED_PROXIES: entry })).toThrow(/TRUSTED_PROXIES/);
  },
);

test('public pages: 600 requests a minute and address', () => {
  expect(load({}).pageRateLimitPerMinute).toBe(600);
  expect(load({ PAGE_RATE_LIMIT_PER_MINUTE: '20' }).pageRateLimitPerMinute).toBe(20);
});
