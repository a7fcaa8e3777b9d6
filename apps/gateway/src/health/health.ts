import { FreshCache } from '@invoicing/concurrency';
import { service as healthDefinition } from 'grpc-health-check';
import { pingMongo, type Connection } from '@invoicing/mongo';
import { newCallContext, type RpcChannel, type ServiceDefinition } from '@invoicing/rpc';
import { type ServiceName } from '../config';
import { type EventsProbe } from './events-probe';

type CheckResult = 'ok' | 'down';

export interface HealthParts {
  readonly connection: Connection;
  /** Proves that a key could be looked up. */
  readonly probeKeys: () => Promise<unknown>;
  readonly events: EventsProbe;
  readonly channels: Readonly<Record<ServiceName, RpcChannel>>;
  readonly version: string;
}

// The whole answer takes at most a second, whatever hangs.
const CHECK_TIMEOUT_MS = 800;
// However often it is asked, the parts are asked about once a second.
const AGE = { freshMs: 1_000, usableMs: 1_000 };

interface HealthCheck {
  Check: (request: { service: string }, context: ReturnType<typeof newCallContext>) => Promise<{ status: string }>;
}

/** Health of this process and of all it depends on: 200 while it can serve keys, else 503. */
export function healthOf({ connection, probeKeys, events, channels, version }: HealthParts) {
  const serves = async (channel: RpcChannel): Promise<boolean> => {
    const client = channel.client(healthDefinition as unknown as ServiceDefinition) as unknown as HealthCheck;
    const { status } = await client.Check({ service: '' }, newCallContext(CHECK_TIMEOUT_MS));
    return status === 'SERVING';
  };
  const look = async () => {
    const [auth, database, broker, billing, catalog, checkout, notification, application] = await Promise.all([
      bounded(probeKeys().then(() => true)),
      bounded(pingMongo(connection, CHECK_TIMEOUT_MS)),
      bounded(events.isUp(CHECK_TIMEOUT_MS)),
      bounded(serves(channels.billing)),
      bounded(serves(channels.catalog)),
      bounded(serves(channels.checkout)),
      bounded(serves(channels.notification)),
      bounded(serves(channels.application)),
    ]);
    const services = { billing, catalog, checkout, notification, application };
    const rest = [auth, database, broker, ...Object.values(services)];
    const status = rest.every((each) => each === 'ok') ? ('ok' as const) : ('degraded' as const);
    const checks = { app: 'ok' as const, auth, database, events: broker, services };
    return { status: auth === 'ok' ? 200 : 503, data: { status, checks, version } };
  };
  const cache = new FreshCache(look, AGE);
  return async () => cache.get('');
}

/** A failing or late check is an answer, too: down. */
async function bounded(check: Promise<boolean>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false)));
  try {
    return (await Promise.race([check, late])) ? 'ok' : 'down';
  } catch {
    return 'down';
  } finally {
    clearTimeout(timer);
  }
}
