import { loadConfig } from './config';
import { nameOf, planEnvironment } from './service-environment';

const uris = { mongodb: 'mongodb://store', nats: 'nats://broker', seriesKeyFile: '/keys' };
const plan = (env: NodeJS.ProcessEnv) => planEnvironment(loadConfig(env), uris);

test('without REPLICAS each service is one process at one address', async () => {
  const { places, addresses, of } = await plan({ METRICS_PORT: '9000' });
  expect(places.map(nameOf)).toEqual(['billing', 'catalog', 'checkout', 'notification', 'application', 'gateway']);
  expect(Object.values(addresses).every((each) => /^127\.0\.0\.1:\d+$/.test(each))).toBe(true);
  expect(places.map((place) => of(place)['METRICS_PORT'])).toEqual(['9000', '9001', '9002', '9003', '9004', '9005']);
});

test('replicas of billing and catalog have ports of their own, and everybody knows all of them', async () => {
  const { places, addresses, of } = await plan({ REPLICAS: '3', METRICS_PORT: '9000' });
  expect(places.map(nameOf).slice(6)).toEqual(['billing-2', 'catalog-2', 'billing-3', 'catalog-3']);
  const billing = places.filter(({ service }) => service === 'billing').map(of);
  const ports = billing.map((env) => env['BILLING_PORT']!);
  expect(new Set([...ports, ...billing.map((env) => env['BILLING_HTTP_PORT'])]).size).toBe(6);
  expect(addresses.billing).toBe(`ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
  for (const place of places) expect(of(place)['BILLING_ADDRESS']).toBe(addresses.billing);
  expect(new Set(places.map((place) => of(place)['METRICS_PORT'])).size).toBe(places.length);
  expect(addresses.checkout).toMatch(/^127\.0\.0\.1:\d+$/);
});

test('what REPLICAS cannot be is said', () => {
  expect(loadConfig({ REPLICAS: 'auto' }).replicas).toBeGreaterThanOrEqual(1);
  for (const REPLICAS of ['0', '17', '1.5', 'many']) expect(() => loadConfig({ REPLICAS })).toThrow(/REPLICAS/);
});
