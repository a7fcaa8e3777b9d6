import { loadServiceEnv, maskedSummary, port } from '@invoicing/config';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';

export interface CatalogConfig {
  readonly host: string;
  /** gRPC; 0 = any free one. */
  readonly port: number;
  readonly mongoUri: string;
  readonly identity: RpcIdentity;
}

export function loadConfig(env: NodeJS.ProcessEnv) {
  const { specs, values } = loadServiceEnv(env, { CATALOG_PORT: port({ default: 50052, desc: 'gRPC' }) });
  return {
    host: values.HOST,
    port: values.CATALOG_PORT,
    mongoUri: values.MONGODB_URI,
    identity: rpcIdentity(values),
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT,
    summary: maskedSummary(specs, values),
  } satisfies CatalogConfig & Record<string, unknown>;
}
