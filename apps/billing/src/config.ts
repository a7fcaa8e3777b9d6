import { readFileSync } from 'node:fs';
import { processSettings, loadServiceEnv, port, secret, str, type ProcessSettings } from '@invoicing/config';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';

/** The mode of organisations that people create by themselves; undefined: only an operator creates any. */
export type SelfSignUp = (typeof SIGN_UPS)[number] | undefined;
const SIGN_UPS = ['test', 'live'] as const;

export interface BillingConfig {
  readonly host: string;
  /** gRPC; 0 = any free one. */
  readonly port: number;
  /** Public pages; 0 = any free one. */
  readonly httpPort: number;
  readonly mongoUri: string;
  readonly natsUrl: string;
  /** Base of public pages, without a slash at its end. */
  readonly publicUrl: string;
  readonly catalogAddress: string;
  readonly checkoutAddress: string;
  readonly notificationAddress: string;
  readonly identity: RpcIdentity;
  readonly selfSignUp?: SelfSignUp;
  /** PEM of the keys that number series are signed with; undefined: they are not signed. */
  readonly seriesKey?: string | undefined;
}

/** Everything from the environment, read once. Throws `ConfigError` with all its faults. */
export function loadConfig(env: NodeJS.ProcessEnv): BillingConfig & ProcessSettings {
  const loaded = loadServiceEnv(env, {
    NATS_URL: str({ desc: 'NATS with JetStream' }),
    BILLING_PORT: port({ default: 50051, desc: 'gRPC' }),
    BILLING_HTTP_PORT: port({ default: 8081, desc: 'Public pages, behind the gateway' }),
    CATALOG_ADDRESS: str({ default: '127.0.0.1:50052', desc: 'host:port of gRPC' }),
    CHECKOUT_ADDRESS: str({ default: '127.0.0.1:50053', desc: 'host:port of gRPC' }),
    NOTIFICATION_ADDRESS: str({ default: '127.0.0.1:50054', desc: 'host:port of gRPC' }),
    SELF_SIGN_UP: str({
      choices: ['off', ...SIGN_UPS],
      default: 'off',
      desc: 'Whether people may create organisations by themselves, and of which mode',
    }),
    SERIES_KEY_FILE: str({ default: undefined, desc: 'Ed25519 keys (PEM) that number series are signed with' }),
    SERIES_KEY: secret({ default: undefined, desc: 'The same as a value instead of a file' }),
  });
  const { values } = loaded;
  return {
    host: values.HOST,
    port: values.BILLING_PORT,
    httpPort: values.BILLING_HTTP_PORT,
    mongoUri: values.MONGODB_URI,
    natsUrl: values.NATS_URL,
    publicUrl: values.PUBLIC_URL.replace(/\/+$/, ''),
    catalogAddress: values.CATALOG_ADDRESS,
    checkoutAddress: values.CHECKOUT_ADDRESS,
    notificationAddress: values.NOTIFICATION_ADDRESS,
    identity: rpcIdentity(values),
    selfSignUp: SIGN_UPS.find((mode) => mode === values.SELF_SIGN_UP),
    seriesKey: values.SERIES_KEY_FILE ? readFileSync(values.SERIES_KEY_FILE, 'utf8') : values.SERIES_KEY,
    ...processSettings(loaded),
  };
}
