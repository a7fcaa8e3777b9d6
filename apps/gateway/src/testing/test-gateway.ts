import { join } from 'node:path';
import { KeysService, MaintenanceService, type CreateKeyRequest } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { openChannel } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testCall, testIdentity, type TestStore } from '@invoicing/testing';
import { type GatewayConfig } from '../config';
import { startGateway } from '../service';
import { startFakeServices, type FakeServices } from './fake-services';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of all shapes.
  readonly body: any;
}

interface SendOptions {
  readonly key?: string | undefined;
  /** JSON text or a value to make it of. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Nothing listens there: refused at once. */
const NOWHERE = '127.0.0.1:1';

/** One real gateway over a real store, with in-memory services behind it. */
export interface TestGateway {
  readonly url: string;
  readonly rpcAddress: string;
  send: (method: string, path: string, options?: SendOptions) => Promise<Answer>;
  createKey: (request: Partial<CreateKeyRequest>) => Promise<{ id: string; secret: string }>;
  revokeKey: (id: string) => Promise<void>;
  setMaintenance: (on: boolean) => Promise<void>;
  close: () => Promise<void>;
}

export const gatewayConfig = (
  store: TestStore,
  services: string,
  options: Partial<GatewayConfig> = {},
): GatewayConfig => ({
  host: '127.0.0.1',
  port: 0,
  rpcHost: '127.0.0.1',
  rpcPort: 0,
  mongoUri: store.uri,
  natsUrl: undefined,
  publicUrl: 'http://127.0.0.1',
  rateLimitPerMinute: 1_000_000,
  pageRateLimitPerMinute: 1_000_000,
  trustedProxies: [],
  deadlineScale: Number(process.env['TIME_SCALE'] ?? 1),
  identity: testIdentity('gateway'),
  addresses: {
    billing: services,
    catalog: services,
    checkout: services,
    notification: services,
    application: services,
  },
  pages: {
    billing: `http://${NOWHERE}`,
    checkout: `http://${NOWHERE}`,
    notification: `http://${NOWHERE}`,
    application: `http://${NOWHERE}`,
  },
  ...options,
});

/** The start page as it stands in the sources: tests and benches run at the repository's top. */
export const SITE = join(process.cwd(), 'apps/gateway/site');

export async function startTestGateway(
  store: TestStore,
  services: FakeServices,
  options: Partial<GatewayConfig> = {},
  log = createLogger('gateway', process.env['LOG_LEVEL'] ?? 'fatal'),
): Promise<TestGateway> {
  const gateway = await startGateway(gatewayConfig(store, services.address, options), log, SITE);
  const url = `http://127.0.0.1:${gateway.port}`;
  const rpcAddress = `127.0.0.1:${gateway.rpcPort}`;
  const channel = openChannel(rpcAddress, testIdentity('admin'));
  const keys = channel.client(KeysService);
  const maintenance = channel.client(MaintenanceService);
  return {
    url,
    rpcAddress,
    send: (method, path, sendOptions) => send(url, method, path, sendOptions),
    createKey: async (request) => {
      const scopes = request.platform ? [] : ['all'];
      const full = { organizationId: '', scopes, expiresAt: undefined, platform: false, ...request };
      const { key, secret } = await keys.createKey(full, testCall());
      return { id: key?.id ?? '', secret };
    },
    revokeKey: async (keyId) => void (await keys.revokeKey({ keyId }, testCall())),
    setMaintenance: async (on) => void (await maintenance.setMaintenance({ on }, testCall())),
    close: async () => {
      channel.close();
      await gateway.close();
    },
  };
}

export async function send(url: string, method: string, path: string, options: SendOptions = {}): Promise<Answer> {
  const { key, body, headers } = options;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** A store, services and one gateway: what most specs need. */
export async function startEdge(options: Partial<GatewayConfig> = {}) {
  const store = await startTestStore();
  const services = await startFakeServices();
  const gateway = await startTestGateway(store, services, options);
  return {
    store,
    services,
    gateway,
    close: async () => {
      await gateway.close();
      await services.close();
      await store.close();
    },
  };
}
