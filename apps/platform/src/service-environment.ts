import { createHash, randomBytes } from 'node:crypto';
import { freePort } from '@invoicing/events';
import { identities, type Identity } from '@invoicing/rpc';
import type { PlatformConfig } from './config';

export const SERVICES = ['billing', 'catalog', 'checkout', 'notification', 'application', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Everything the parts must agree on: ports, addresses, tokens. */
export interface Environment {
  /** host:port of each service's gRPC. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly tokens: Readonly<Record<Identity, string>>;
  of: (service: ServiceName) => NodeJS.ProcessEnv;
}

const LOOPBACK = '127.0.0.1';

/** The environment of every service: addresses on this machine, and what the operator set, which wins. */
export async function planEnvironment(
  config: PlatformConfig,
  uris: { mongodb: string; nats: string; seriesKeyFile: string },
): Promise<Environment> {
  const given = config.env;
  const portOf = async (name: string): Promise<string> => given[name] || String(await freePort());
  const grpc = {
    billing: await portOf('BILLING_PORT'),
    catalog: await portOf('CATALOG_PORT'),
    checkout: await portOf('CHECKOUT_PORT'),
    notification: await portOf('NOTIFICATION_PORT'),
    application: await portOf('APPLICATION_PORT'),
    gateway: await portOf('GATEWAY_GRPC_PORT'),
  };
  const http = {
    billing: await portOf('BILLING_HTTP_PORT'),
    checkout: await portOf('CHECKOUT_HTTP_PORT'),
    notification: await portOf('NOTIFICATION_HTTP_PORT'),
    application: await portOf('APPLICATION_HTTP_PORT'),
  };
  const tokens = Object.fromEntries(identities.map((name) => [name, randomBytes(32).toString('base64url')])) as Record<
    Identity,
    string
  >;
  const hashes = identities
    .map((name) => `${name}=${createHash('sha256').update(tokens[name]).digest('hex')}`)
    .join(',');
  const addresses = Object.fromEntries(SERVICES.map((name) => [name, `${LOOPBACK}:${grpc[name]}`])) as Record<
    ServiceName,
    string
  >;

  const shared: NodeJS.ProcessEnv = {
    ...given,
    HOST: LOOPBACK,
    MONGODB_URI: uris.mongodb,
    NATS_URL: uris.nats,
    SERIES_KEY_FILE: uris.seriesKeyFile,
    DATA_DIR: config.dataDir,
    PUBLIC_URL: config.publicUrl,
    SERVICE_TOKEN_HASHES: hashes,
    BILLING_PORT: grpc.billing,
    CATALOG_PORT: grpc.catalog,
    CHECKOUT_PORT: grpc.checkout,
    NOTIFICATION_PORT: grpc.notification,
    APPLICATION_PORT: grpc.application,
    GATEWAY_GRPC_PORT: grpc.gateway,
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_ADDRESS`, addresses[name]])),
    ...Object.fromEntries(
      Object.entries(http).flatMap(([name, port]) => [
        [`${name.toUpperCase()}_HTTP_PORT`, port],
        [`${name.toUpperCase()}_HTTP_URL`, `http://${LOOPBACK}:${port}`],
      ]),
    ),
    GATEWAY_HOST: config.gatewayHost,
    GATEWAY_PORT: String(config.gatewayPort),
  };
  // One private metrics port a process; METRICS_PORT names the first.
  const metricsPort = (service: ServiceName): NodeJS.ProcessEnv =>
    given['METRICS_PORT'] ? { METRICS_PORT: String(Number(given['METRICS_PORT']) + SERVICES.indexOf(service)) } : {};
  return {
    addresses,
    tokens,
    of: (service) => ({ ...shared, ...metricsPort(service), SERVICE_TOKEN: tokens[service] }),
  };
}
