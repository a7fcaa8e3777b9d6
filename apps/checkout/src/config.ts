import { processSettings, loadServiceEnv, port, secret, str, type ProcessSettings } from '@invoicing/config';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';

export interface CheckoutConfig {
  readonly host: string;
  /** gRPC; 0 = any free one. */
  readonly port: number;
  /** Pages and callbacks; 0 = any free one. */
  readonly httpPort: number;
  readonly mongoUri: string;
  readonly natsUrl: string;
  /** Base of public addresses, without a slash at its end. */
  readonly publicUrl: string;
  readonly allowLoopback: boolean;
  readonly billingAddress: string;
  readonly catalogAddress: string;
  readonly identity: RpcIdentity;
  /** Seals the providers' API keys in the store. */
  readonly keySecret: string | undefined;
  /** Whether keys may be stored as they are when there is no secret. */
  readonly allowPlainKeys: boolean;
}

/** Everything from the environment, read once. Throws `ConfigError` with all its faults. */
export function loadConfig(env: NodeJS.ProcessEnv): CheckoutConfig & ProcessSettings {
  const loaded = loadServiceEnv(env, {
    CHECKOUT_PORT: port({ default: 50053, desc: 'gRPC' }),
    CHECKOUT_HTTP_PORT: port({ default: 8083, desc: 'Hosted pages, provider callbacks, sandbox' }),
    NATS_URL: str({ desc: 'NATS with JetStream' }),
    BILLING_ADDRESS: str({ default: '127.0.0.1:50051', desc: 'gRPC of billing' }),
    CATALOG_ADDRESS: str({ default: '127.0.0.1:50052', desc: 'gRPC of catalog' }),
    PROVIDER_KEY_SECRET: secret({
      default: undefined,
      desc: 'Encrypts the API keys of payment providers; in production no provider with a key connects without it',
    }),
  });
  const { values } = loaded;
  return {
    host: values.HOST,
    port: values.CHECKOUT_PORT,
    httpPort: values.CHECKOUT_HTTP_PORT,
    mongoUri: values.MONGODB_URI,
    natsUrl: values.NATS_URL,
    publicUrl: values.PUBLIC_URL.replace(/\/+$/, ''),
    allowLoopback: values.ALLOW_LOOPBACK_TARGETS,
    billingAddress: values.BILLING_ADDRESS,
    catalogAddress: values.CATALOG_ADDRESS,
    identity: rpcIdentity(values),
    keySecret: values.PROVIDER_KEY_SECRET as string | undefined,
    allowPlainKeys: env['NODE_ENV'] !== 'production',
    ...processSettings(loaded),
  };
}
