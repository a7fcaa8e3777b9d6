import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Running } from '@invoicing/service';
import { connectMongo, pingMongo } from '@invoicing/mongo';
import { Circuit, openChannel, serveRpc, type RpcChannel } from '@invoicing/rpc';
import { type Logger } from '@invoicing/telemetry';
import { serviceNames, type GatewayConfig, type ServiceName } from './config';
import { createApp } from './edge/app';
import { authenticator } from './edge/authenticate';
import { createExpressServer, listenAtEdge } from './edge/server';
import { probeEvents } from './health/events-probe';
import { healthOf } from './health/health';
import { openHeartbeats } from './idempotency/heartbeat-store';
import { openIdempotencyRecords } from './idempotency/idempotency-store';
import { openPersonalData } from './idempotency/personal-data-store';
import { personalDataService } from './personal-data-rpc';
import { KeyLookup } from './keys/key-lookup';
import { openKeyStore } from './keys/key-store';
import { keysService } from './keys/key-rpc';
import { trackLastUse } from './keys/last-used';
import { openMaintenance } from './maintenance/maintenance-rpc';
import { openapiDocument } from './openapi/openapi-document';
import { organizationStates } from './organizations/organization-states';
import { AddressLimiter } from './rate/address-limiter';
import { RateLimiter } from './rate/rate-limiter';
import { openRateWindows } from './rate/rate-window-store';
import { requestLog } from './requests/request-log';
import { openRequestLog } from './requests/request-log-store';
import { requestsService } from './requests/request-log-rpc';
import { routeTable } from './routes/route-table';
import { servicesOver } from './service-clients';
import { streams } from './streams/stream';
import { VERSION } from './version';

const BAD_KEYS_PER_MINUTE = 300;

const STORE_PROBE_MS = 400;

/** The edge: HTTP for the world, gRPC for operators, its own database for keys, limits and idempotency. */
export async function startGateway(
  config: GatewayConfig,
  log: Logger,
  siteFolder = join(__dirname, 'site'),
): Promise<Running & { port: number; rpcPort: number }> {
  const onError = (error: unknown): void => log.error({ error }, 'background work failed');
  const connection = await connectMongo({
    uri: config.mongoUri,
    database: 'gateway',
    migrations: [],
    onWaiting: (message) => log.warn(message),
    onMigration: (message) => log.info(message),
  });
  const keyStore = await openKeyStore(connection);
  const replica = randomUUID();
  const heartbeats = await openHeartbeats(connection, replica, onError);
  const records = await openIdempotencyRecords(connection, replica, heartbeats);
  const maintenance = await openMaintenance(connection, onError);

  const channels = Object.fromEntries(
    serviceNames.map((name) => [name, openChannel(config.addresses[name], config.identity)]),
  ) as Record<ServiceName, RpcChannel>;
  const services = servicesOver(channels);
  const keys = new KeyLookup(keyStore);
  const lastUse = trackLastUse(keyStore, onError);
  const requestStore = await openRequestLog(connection);
  const requests = requestLog(requestStore, onError);
  const events = probeEvents(config.natsUrl);
  const rate = new RateLimiter(await openRateWindows(connection, config.rateLimitPerMinute), config.rateLimitPerMinute);
  const parts = {
    connection,
    keyStore,
    keys,
    lastUse,
    requestStore,
    requests,
    maintenance,
    records,
    rate,
    services,
    channels,
    events,
  };
  const edge = openEdge(config, log, siteFolder, parts);
  const rpc = await openRpc(config, log, parts);
  const server = await listenAtEdge(createExpressServer(edge.app), config.host, config.port);
  log.info({ port: server.port, rpcPort: rpc.port }, 'gateway listens');
  return {
    port: server.port,
    rpcPort: rpc.port,
    close: async () => {
      await server.close();
      await rpc.close();
      for (const part of [edge, heartbeats]) part.close();
      await lastUse.close();
      await requests.close();
      await events.close();
      for (const channel of Object.values(channels)) channel.close();
      await connection.close();
    },
  };
}

interface EdgeParts {
  readonly connection: Awaited<ReturnType<typeof connectMongo>>;
  readonly keyStore: Awaited<ReturnType<typeof openKeyStore>>;
  readonly keys: KeyLookup;
  readonly lastUse: ReturnType<typeof trackLastUse>;
  readonly requestStore: Awaited<ReturnType<typeof openRequestLog>>;
  readonly requests: ReturnType<typeof requestLog>;
  readonly maintenance: Awaited<ReturnType<typeof openMaintenance>>;
  readonly records: Awaited<ReturnType<typeof openIdempotencyRecords>>;
  readonly rate: RateLimiter;
  readonly services: ReturnType<typeof servicesOver>;
  readonly channels: Record<ServiceName, RpcChannel>;
  readonly events: ReturnType<typeof probeEvents>;
}

/** What operators and the application ask of the gateway. */
async function openRpc({ rpcHost, rpcPort, identity }: GatewayConfig, log: Logger, parts: EdgeParts) {
  const { connection, keyStore, keys, maintenance, requestStore, services } = parts;
  return serveRpc({
    host: rpcHost,
    port: rpcPort,
    identity,
    log,
    services: [
      keysService(
        keyStore,
        (organizationId, context) => services.organizations.getOrganization({ organizationId }, context),
        ({ hash }) => keys.forget(hash),
      ),
      maintenance.service,
      requestsService(requestStore),
      personalDataService(await openPersonalData(connection)),
    ],
    isHealthy: () => connection.readyState === 1,
  });
}

/** The HTTP side: routes, pages, the OpenAPI document and health. */
function openEdge(config: GatewayConfig, log: Logger, siteFolder: string, parts: EdgeParts) {
  const { connection, keyStore, keys, lastUse, maintenance, records, rate, services, channels, events } = parts;
  const document = JSON.stringify(openapiDocument(routeTable, streams, config.publicUrl));

  return createApp({
    routes: routeTable,
    operations: {
      isInMaintenance: maintenance.isOn,
      authenticate: authenticator(keys, new AddressLimiter(BAD_KEYS_PER_MINUTE)),
      onKeyUsed: lastUse.used,
      rate,
      organization: organizationStates(services),
      services,
      records,
      store: new Circuit(() => pingMongo(connection, STORE_PROBE_MS)),
      deadlineScale: config.deadlineScale,
    },
    open: {
      document: () => document,
      health: healthOf({
        connection,
        probeKeys: () => keyStore.findByHashes(['']),
        events,
        channels,
        version: VERSION,
      }),
    },
    pages: config.pages,
    pageRateLimitPerMinute: config.pageRateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    site: { folder: siteFolder, publicUrl: config.publicUrl },
    onRequestEnd: parts.requests.add,
    streams: { testEvents: services.testEvents, requests: parts.requestStore },
    log,
  });
}
