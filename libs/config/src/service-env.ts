import { bool, loadEnv, maskedSummary, port, publicUrl, secret, str } from './load-env';

/** What every process of the platform reads. Names and meaning: docs/operating.md. */
export const serviceEnv = {
  HOST: str({ default: '127.0.0.1', desc: 'Address that gRPC and pages listen on' }),
  LOG_LEVEL: str({ default: 'info', choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] }),
  METRICS_PORT: port({ default: undefined, desc: 'Private port for Prometheus metrics; unset = none' }),
  MONGODB_URI: str({ desc: 'MongoDB; `npm start` gives the embedded store when it is unset' }),
  PUBLIC_URL: publicUrl({ default: 'http://127.0.0.1:8080', desc: 'Base of public pages' }),
  ALLOW_LOOPBACK_TARGETS: bool({
    default: true,
    desc: 'Webhooks and redirects to loopback; default false in production',
  }),
  SERVICE_TOKEN: secret({ desc: 'This process says who it is with it' }),
  SERVICE_TOKEN_HASHES: str({ default: '', desc: 'identity=sha256 hex of its token, comma separated: who may call' }),
  TLS_CERT_FILE: str({ default: undefined, desc: 'mTLS between services: own certificate, PEM' }),
  TLS_KEY_FILE: str({ default: undefined }),
  TLS_CA_FILE: str({ default: undefined }),
};

/** The environment of a service: the shared names and its own. */
export function loadServiceEnv<S extends Parameters<typeof loadEnv>[1]>(env: NodeJS.ProcessEnv, specs: S) {
  const all = { ...serviceEnv, ...specs };
  const defaults = env['NODE_ENV'] === 'production' ? { ALLOW_LOOPBACK_TARGETS: 'false' } : {};
  return { specs: all, values: loadEnv<typeof serviceEnv & S>({ ...defaults, ...env }, all) };
}

/** What every process of a service is run with, whatever it does. */
export interface ProcessSettings {
  readonly logLevel: string;
  /** Private address and port of the metrics; no port: none. */
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
  /** The whole environment as it may be logged: secrets are masked. */
  readonly summary: Readonly<Record<string, unknown>>;
}

/** The settings of the process, out of what `loadServiceEnv` answered. */
export const processSettings = ({ specs, values }: ReturnType<typeof loadServiceEnv>): ProcessSettings => ({
  logLevel: values.LOG_LEVEL,
  metricsHost: values.HOST,
  metricsPort: values.METRICS_PORT,
  summary: maskedSummary(specs, values),
});
