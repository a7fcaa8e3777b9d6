import ipaddr from 'ipaddr.js';
import {
  processSettings,
  host,
  loadServiceEnv,
  makeValidator,
  num,
  port,
  str,
  url,
  type ProcessSettings,
} from '@invoicing/config';
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
  /** Requests for public pages a minute and client address, in this process. */
  readonly pageRateLimitPerMinute: number;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Multiplies every budget of time at the edge, for slow machines; 1 in production. */
  readonly deadlineScale: number;
  readonly identity: RpcIdentity;
  /** host:port of each service's gRPC. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  /** Base addresses of the services' own pages. */
  readonly pages: Readonly<Record<'billing' | 'checkout' | 'notification' | 'application', string>>;
}

export const serviceNames = ['billing', 'catalog', 'checkout', 'notification', 'application'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Proxies by address or CIDR range. A range of everything is refused: then anybody could say who he is. */
const proxies = makeValidator<string[]>((input) => {
  const entries = input.split(',').map((entry) => entry.trim());
  for (const entry of entries.filter((each) => each !== '')) {
    const isRange = ipaddr.isValidCIDR(entry) && ipaddr.parseCIDR(entry)[1] > 0;
    if (!isRange && !ipaddr.isValid(entry)) throw new Error(`${entry} is no address and no range such as 10.0.0.0/8`);
  }
  return entries.filter((each) => each !== '');
});

const gatewayEnv = {
  GATEWAY_HOST: host({ default: '127.0.0.1', desc: 'Address that the API listens on' }),
  GATEWAY_PORT: port({ default: 8080, desc: 'HTTP; the one port that the outside needs' }),
  GATEWAY_GRPC_PORT: port({ default: 50055, desc: 'gRPC for operators' }),
  NATS_URL: str({ default: undefined, desc: 'Only for the health answer' }),
  RATE_LIMIT_PER_MINUTE: num({ default: 60, desc: 'Requests a minute and key' }),
  PAGE_RATE_LIMIT_PER_MINUTE: num({ default: 600, desc: 'Requests for public pages a minute and address' }),
  DEADLINE_SCALE: num({ default: 1, desc: 'Multiplies the budgets of time at the edge, for slow machines' }),
  TRUSTED_PROXIES: proxies({ default: [], desc: 'Whose X-Forwarded-For is believed: addresses or CIDRs' }),
  BILLING_ADDRESS: str({ default: '127.0.0.1:50051' }),
  CATALOG_ADDRESS: str({ default: '127.0.0.1:50052' }),
  CHECKOUT_ADDRESS: str({ default: '127.0.0.1:50053' }),
  NOTIFICATION_ADDRESS: str({ default: '127.0.0.1:50054' }),
  APPLICATION_ADDRESS: str({ default: '127.0.0.1:50056' }),
  BILLING_HTTP_URL: url({ default: 'http://127.0.0.1:8081' }),
  CHECKOUT_HTTP_URL: url({ default: 'http://127.0.0.1:8083' }),
  NOTIFICATION_HTTP_URL: url({ default: 'http://127.0.0.1:8084' }),
  APPLICATION_HTTP_URL: url({ default: 'http://127.0.0.1:8085' }),
};

/** Everything from the environment, read once. Throws `ConfigError` with all its faults. */
export function loadConfig(env: NodeJS.ProcessEnv): GatewayConfig & ProcessSettings {
  const loaded = loadServiceEnv(env, gatewayEnv);
  const { values } = loaded;
  return {
    host: values.GATEWAY_HOST,
    port: values.GATEWAY_PORT,
    rpcHost: values.HOST,
    rpcPort: values.GATEWAY_GRPC_PORT,
    mongoUri: values.MONGODB_URI,
    natsUrl: values.NATS_URL,
    publicUrl: values.PUBLIC_URL.replace(/\/+$/, ''),
    rateLimitPerMinute: Math.max(1, Math.floor(values.RATE_LIMIT_PER_MINUTE)),
    pageRateLimitPerMinute: Math.max(1, Math.floor(values.PAGE_RATE_LIMIT_PER_MINUTE)),
    trustedProxies: values.TRUSTED_PROXIES,
    deadlineScale: Math.max(1, values.DEADLINE_SCALE),
    identity: rpcIdentity(values),
    addresses: {
      billing: values.BILLING_ADDRESS,
      catalog: values.CATALOG_ADDRESS,
      checkout: values.CHECKOUT_ADDRESS,
      notification: values.NOTIFICATION_ADDRESS,
      application: values.APPLICATION_ADDRESS,
    },
    pages: {
      billing: values.BILLING_HTTP_URL,
      checkout: values.CHECKOUT_HTTP_URL,
      notification: values.NOTIFICATION_HTTP_URL,
      application: values.APPLICATION_HTTP_URL,
    },
    ...processSettings(loaded),
  };
}
