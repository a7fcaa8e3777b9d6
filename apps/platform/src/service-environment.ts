import { createHash, randomBytes } from 'node:crypto';
import { freePort } from '@invoicing/events';
import { identities, type Identity } from '@invoicing/rpc';
import type { PlatformConfig } from './config';

export const SERVICES = ['billing', 'catalog', 'checkout', 'notification', 'application', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Those that have replicas: most of the work of a request is theirs, and nothing but gRPC leads to them. */
const REPLICATED: readonly ServiceName[] = ['billing', 'catalog'];

/** One process of a service; `replica` counts from 0. */
export interface Place {
  readonly service: ServiceName;
  readonly replica: number;
}

export const nameOf = ({ service, replica }: Place): string => (replica === 0 ? service : `${service}-${replica + 1}`);

/** Everything the parts must agree on: ports, addresses, tokens. */
export interface Environment {
  /** Every process that is to run. */
  readonly places: readonly Place[];
  /** gRPC target of each service: host:port, or all of them where it has replicas. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly tokens: Readonly<Record<Identity, string>>;
  of: (place: Place) => NodeJS.ProcessEnv;
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
  const { tokens, hashes } = newTokens();
  const more = await morePorts(config.replicas);
  const addresses = Object.fromEntries(
    SERVICES.map((name) => [name, targetOf([grpc[name], ...more.map((ports) => ports[name]?.grpc ?? '')])]),
  ) as Record<ServiceName, string>;

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
  const places = placesOf(config.replicas);
  const metricsPort = (place: Place): NodeJS.ProcessEnv => {
    const nth = places.findIndex(({ service, replica }) => service === place.service && replica === place.replica);
    return given['METRICS_PORT'] ? { METRICS_PORT: String(Number(given['METRICS_PORT']) + nth) } : {};
  };
  const ownPorts = ({ service, replica }: Place): NodeJS.ProcessEnv => {
    const own = more[replica - 1]?.[service];
    const name = service.toUpperCase();
    return own ? { [`${name}_PORT`]: own.grpc, [`${name}_HTTP_PORT`]: own.http } : {};
  };
  return {
    places,
    addresses,
    tokens,
    of: (place) => ({ ...shared, ...ownPorts(place), ...metricsPort(place), SERVICE_TOKEN: tokens[place.service] }),
  };
}

/** The first of every service, then the replicas. */
const placesOf = (replicas: number): Place[] =>
  [...Array(replicas).keys()].flatMap((replica) =>
    SERVICES.filter((service) => replica === 0 || REPLICATED.includes(service)).map((service) => ({
      service,
      replica,
    })),
  );

/** A token for every identity, and what tells them apart without being one. */
function newTokens() {
  const tokens = Object.fromEntries(identities.map((name) => [name, randomBytes(32).toString('base64url')])) as Record<
    Identity,
    string
  >;
  const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
  return { tokens, hashes: identities.map((name) => `${name}=${hashOf(tokens[name])}`).join(',') };
}

type Ports = Partial<Record<ServiceName, { readonly grpc: string; readonly http: string }>>;

/** Of the second replica and those after it. */
const morePorts = (replicas: number): Promise<Ports[]> =>
  Promise.all(
    Array.from({ length: replicas - 1 }, async () => {
      const ports: Ports = {};
      for (const name of REPLICATED) ports[name] = { grpc: String(await freePort()), http: String(await freePort()) };
      return ports;
    }),
  );

/** Calls go round the addresses of a gRPC target: gRPC name resolution, scheme `ipv4`. */
function targetOf(ports: readonly string[]): string {
  const addresses = ports.filter(Boolean).map((port) => `${LOOPBACK}:${port}`);
  return addresses.length === 1 ? addresses[0]! : `ipv4:${addresses.join(',')}`;
}
