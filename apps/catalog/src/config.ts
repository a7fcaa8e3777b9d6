import { loadServiceEnv, port, processSettings, publicUrl, type ProcessSettings } from '@invoicing/config';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';

export interface CatalogConfig {
  readonly host: string;
  /** gRPC; 0 = any free one. */
  readonly port: number;
  readonly mongoUri: string;
  readonly identity: RpcIdentity;
  /** Base of the REST interface of VIES, without a slash at its end. */
  readonly viesUrl: string;
}

const VIES = 'https://ec.europa.eu/taxation_customs/vies/rest-api';

/** Everything from the environment, read once. Throws `ConfigError` with all its faults. */
export function loadConfig(env: NodeJS.ProcessEnv): CatalogConfig & ProcessSettings {
  const loaded = loadServiceEnv(env, {
    CATALOG_PORT: port({ default: 50052, desc: 'gRPC' }),
    VIES_URL: publicUrl({ default: VIES, desc: 'Where VAT identification numbers are looked up' }),
  });
  const { values } = loaded;
  return {
    host: values.HOST,
    port: values.CATALOG_PORT,
    mongoUri: values.MONGODB_URI,
    identity: rpcIdentity(values),
    viesUrl: values.VIES_URL.replace(/\/+$/, ''),
    ...processSettings(loaded),
  };
}
