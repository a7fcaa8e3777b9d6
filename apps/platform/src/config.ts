import { resolve } from 'node:path';
import { host, loadEnv, port, publicUrl, str } from '@invoicing/config';

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
  readonly env: NodeJS.ProcessEnv;
}

export function loadConfig(env: NodeJS.ProcessEnv): PlatformConfig {
  const read = loadEnv(env, {
    GATEWAY_HOST: host({ default: '127.0.0.1' }),
    GATEWAY_PORT: port({ default: 8080 }),
    DATA_DIR: str({ default: '.data' }),
    MONGODB_URI: str({ default: undefined }),
    NATS_URL: str({ default: undefined }),
    PUBLIC_URL: publicUrl({ default: undefined }),
  });
  return {
    gatewayHost: read.GATEWAY_HOST,
    gatewayPort: read.GATEWAY_PORT,
    dataDir: resolve(read.DATA_DIR),
    mongodbUri: read.MONGODB_URI,
    natsUrl: read.NATS_URL,
    publicUrl: read.PUBLIC_URL ?? `http://${read.GATEWAY_HOST}:${read.GATEWAY_PORT}`,
    env,
  };
}
