import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { host, loadEnv, makeValidator, port, publicUrl, str } from '@invoicing/config';

/** Where the platform lives and what it does not start itself. Everything else in the environment is passed on to the services. */
export interface PlatformConfig {
  readonly gatewayHost: string;
  readonly gatewayPort: number;
  readonly dataDir: string;
  /** Set: use this MongoDB. Unset: the embedded store. */
  readonly mongodbUri: string | undefined;
  /** Set: use this NATS. Unset: a child of ours. */
  readonly natsUrl: string | undefined;
  readonly publicUrl: string;
  /** How many processes each of the busiest services has. */
  readonly replicas: number;
  readonly env: NodeJS.ProcessEnv;
}

const MOST_REPLICAS = 16;

/** `auto`: a core for the store, one for the gateway, and the rest shared by the two services that have replicas. */
const replicas = makeValidator((given) => {
  if (given === 'auto') return Math.min(MOST_REPLICAS, Math.max(1, Math.floor((availableParallelism() - 2) / 2)));
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_REPLICAS) return count;
  throw new Error(`must be auto or a number from 1 to ${MOST_REPLICAS}`);
});

export function loadConfig(env: NodeJS.ProcessEnv): PlatformConfig {
  const read = loadEnv(env, {
    GATEWAY_HOST: host({ default: '127.0.0.1' }),
    GATEWAY_PORT: port({ default: 8080 }),
    DATA_DIR: str({ default: '.data' }),
    MONGODB_URI: str({ default: undefined }),
    NATS_URL: str({ default: undefined }),
    PUBLIC_URL: publicUrl({ default: undefined }),
    REPLICAS: replicas({ default: 1 }),
  });
  return {
    gatewayHost: read.GATEWAY_HOST,
    gatewayPort: read.GATEWAY_PORT,
    dataDir: resolve(read.DATA_DIR),
    mongodbUri: read.MONGODB_URI,
    natsUrl: read.NATS_URL,
    publicUrl: read.PUBLIC_URL ?? `http://${read.GATEWAY_HOST}:${read.GATEWAY_PORT}`,
    replicas: read.REPLICAS,
    env,
  };
}
