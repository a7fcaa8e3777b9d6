import { loadServiceEnv, port, processSettings, secret, str, type ProcessSettings } from '@invoicing/config';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';
import { openidProviders, type OpenidProvider } from './openid/openid-provider';

export interface ApplicationConfig {
  readonly host: string;
  /** gRPC, for operators; 0 = any free one. */
  readonly port: number;
  /** Pages; 0 = any free one. */
  readonly httpPort: number;
  readonly mongoUri: string;
  /** Base of public addresses, without a slash at its end. */
  readonly publicUrl: string;
  readonly identity: RpcIdentity;
  /** Companies' own sign-ins. */
  readonly openidProviders: readonly OpenidProvider[];
  /** Whether whoever has an e-mail address may sign up. Billing decides what becomes of it. */
  readonly isSignUpOpen: boolean;
  /** host:port of each peer's gRPC. */
  readonly addresses: Readonly<Record<PeerName, string>>;
}

export const peerNames = ['billing', 'catalog', 'checkout', 'notification', 'gateway'] as const;
export type PeerName = (typeof peerNames)[number];

/** Everything from the environment, read once. Throws `ConfigError` with all its faults. */
export function loadConfig(env: NodeJS.ProcessEnv): ApplicationConfig & ProcessSettings {
  const loaded = loadServiceEnv(env, {
    APPLICATION_PORT: port({ default: 50056, desc: 'gRPC, for operators' }),
    APPLICATION_HTTP_PORT: port({ default: 8085, desc: 'The pages under /app' }),
    BILLING_ADDRESS: str({ default: '127.0.0.1:50051' }),
    CATALOG_ADDRESS: str({ default: '127.0.0.1:50052' }),
    CHECKOUT_ADDRESS: str({ default: '127.0.0.1:50053' }),
    NOTIFICATION_ADDRESS: str({ default: '127.0.0.1:50054' }),
    GATEWAY_ADDRESS: str({ default: '127.0.0.1:50055', desc: 'gRPC of the gateway: API keys' }),
    SELF_SIGN_UP: str({
      choices: ['off', 'test', 'live'],
      default: 'off',
      desc: 'Whether people may sign up and create organisations by themselves',
    }),
    OPENID_PROVIDERS: secret({ default: undefined, desc: 'Companies’ own sign-ins, a JSON list: docs/operating.md' }),
  });
  const { values } = loaded;
  return {
    host: values.HOST,
    port: values.APPLICATION_PORT,
    httpPort: values.APPLICATION_HTTP_PORT,
    mongoUri: values.MONGODB_URI,
    publicUrl: values.PUBLIC_URL.replace(/\/+$/, ''),
    identity: rpcIdentity(values),
    openidProviders: openidProviders(values.OPENID_PROVIDERS),
    isSignUpOpen: values.SELF_SIGN_UP !== 'off',
    addresses: {
      billing: values.BILLING_ADDRESS,
      catalog: values.CATALOG_ADDRESS,
      checkout: values.CHECKOUT_ADDRESS,
      notification: values.NOTIFICATION_ADDRESS,
      gateway: values.GATEWAY_ADDRESS,
    },
    ...processSettings(loaded),
  };
}
