import { host, loadServiceEnv, maskedSummary, num, port, str, url } from '@invoicing/config';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';

export interface GatewayConfig {
  /** Where integrators, payers and providers come in. */
  readonly host: string;
  /** HTTP; 0 = any free one. */
  readonly port: number;
  /** Where operators come in (gRPC); 0 = any free one. */
  readonly rpcHost: string;
  readonly rpcPort: number;
  readonly mongoUri: string;
  /** Unset: health says that events are down. */
  readonly natsUrl: string | undefined;
  /** Base of public pages, without a slash at its end. */
  readonly publicUrl: string;
  readonly rateLimitPerMinute: number;
  readonly identity: RpcIdentity;
  /** host:port of each service's gRPC. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  /** Base addresses of the services' own pages. */
  readonly pages: Readonly<Record<'billing' | 'checkout' | 'notification', string>>;
}

export const serviceNames = ['billing', 'catalog', 'checkout', 'notification'] as const;
export type ServiceName = (typeof serviceNames)[number];

const gatewayEnv = {
  GATEWAY_HOST: host({ default: '127.0.0.1', desc: 'Address that the API listens on' }),
  GATEWAY_PORT: port({ default: 8080, desc: 'HTTP; the one port that the outside needs' }),
  GATEWAY_GRPC_PORT: port({ default: 50055, desc: 'gRPC for operators' }),
  NATS_URL: str({ default: undefined, desc: 'Only for the health answer' }),
  RATE_LIMIT_PER_MINUTE: num({ default: 60, desc: 'Requests a minute and key' }),
  BILLING_ADDRESS: str({ default: '127.0.0.1:50051' }),
  CATALOG_ADDRESS: str({ default: '127.0.0.1:50052' }),
  CHECKOUT_ADDRESS: str({ default: '127.0.0.1:50053' }),
  NOTIFICATION_ADDRESS: str({ default: '127.0.0.1:50054' }),
  BILLING_HTTP_URL: url({ default: 'http://127.0.0.1:8081' }),
  CHECKOUT_HTTP_URL: url({ default: 'http://127.0.0.1:8083' }),
  NOTIFICATION_HTTP_URL: url({ default: 'http://127.0.0.1:8084' }),
};

export function loadConfig(env: NodeJS.ProcessEnv) {
  const { specs, values } = loadServiceEnv(env, gatewayEnv);
  return {
    host: values.GATEWAY_HOST,
    port: values.GATEWAY_PORT,
    rpcHost: values.HOST,
    rpcPort: values.GATEWAY_GRPC_PORT,
    mongoUri: values.MONGODB_URI,
    natsUrl: values.NATS_URL,
    publicUrl: values.PUBLIC_URL.replace(/\/+$/, ''),
    rateLimitPerMinute: Math.max(1, Math.floor(values.RATE_LIMIT_PER_MINUTE)),
    identity: rpcIdentity(values),
    addresses: {
      billing: values.BILLING_ADDRESS,
      catalog: values.CATALOG_ADDRESS,
      checkout: values.CHECKOUT_ADDRESS,
      notification: values.NOTIFICATION_ADDRESS,
    },
    pages: {
      billing: values.BILLING_HTTP_URL,
      checkout: values.CHECKOUT_HTTP_URL,
      notification: values.NOTIFICATION_HTTP_URL,
    },
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT,
    summary: maskedSummary(specs, values),
  } satisfies GatewayConfig & Record<string, unknown>;
}
