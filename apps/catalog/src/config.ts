import { processSettings, loadServiceEnv, port, type ProcessSettings } from '@invoicing/config';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';

export interface CatalogConfig {
  readonly host: string;
  /** gRPC; 0 = any free one. */
  readonly port: number;
  readonly mongoUri: string;
  readonly identity: RpcIdentity;
}

/** Everything from the environment, read once. Throws `ConfigError` with all its faults. */
export function loadConfig(env: NodeJS.ProcessEnv): CatalogConfig & ProcessSettings {
  const loaded = loadServiceEnv(env, { CATALOG_PORT: port({ default: 50052, desc: 'gRPC' }) });
  const { values } = loaded;
  return {
    host: values.HOST,
    port: values.CATALOG_PORT,
    mongoUri: values.MONGODB_URI,
    identity: rpcIdentity(values),
    ...processSettings(loaded),
  };
}
