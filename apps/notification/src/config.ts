import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  processSettings,
  ConfigError,
  loadServiceEnv,
  port,
  secret,
  str,
  type ProcessSettings,
} from '@invoicing/config';
import { isEmailAddress } from '@invoicing/rules';
import { rpcIdentity, type RpcIdentity } from '@invoicing/rpc';
import type { PingenOptions } from './letters/pingen-client';
import type { DkimKey, SmtpOptions } from './mail/smtp-transport';

export interface NotificationConfig {
  readonly host: string;
  /** gRPC and pages; 0 = any free one. */
  readonly port: number;
  readonly httpPort: number;
  readonly mongoUri: string;
  readonly natsUrl: string;
  readonly identity: RpcIdentity;
  /** host:port of billing's gRPC. */
  readonly billingAddress: string;
  /** Outgoing mail and letters of the built-in adapters. */
  readonly dataDir: string;
  /** Undefined: the built-in mailbox. */
  readonly smtp: SmtpOptions | undefined;
  /** What whoever reports bounced mail must show; undefined: nobody can. */
  readonly bounceHookSecret: string | undefined;
  /** Where mail of test organisations goes: out, as other mail, or into the built-in mailbox whatever `smtp` says. */
  readonly testMail: 'send' | 'mailbox';
  /** Address, or `Name <address>`, that mail comes from. */
  readonly mailFrom: string;
  /** Whether `/dev/mail` shows the built-in mailbox. */
  readonly showInbox: boolean;
  /** Name (without a port) that the pages for trying out answer to, beside loopback and addresses. */
  readonly publicHost: string;
  /** Webhooks to loopback. */
  readonly allowLoopbackTargets: boolean;
  /** Seals the secrets of webhook endpoints in the store; undefined = they are stored as they are. */
  readonly webhookSecretKey: string | undefined;
  /** Seals the keys of access points in the store. */
  readonly providerKeySecret: string | undefined;
  /** Whether keys may be stored as they are when there is no secret. */
  readonly allowPlainKeys: boolean;
  /** Undefined: letters stay in `dataDir`. */
  readonly pingen: PingenOptions | undefined;
}

const DEFAULT_MAIL_FROM = 'invoices@localhost';

/** Everything from the environment, read once. Throws `ConfigError` with all its faults. */
export function loadConfig(env: NodeJS.ProcessEnv): NotificationConfig & ProcessSettings {
  const loaded = loadServiceEnv(env, {
    NOTIFICATION_PORT: port({ default: 50054, desc: 'gRPC' }),
    NOTIFICATION_HTTP_PORT: port({ default: 8084, desc: 'The inbox page of the built-in mailbox' }),
    NATS_URL: str({ desc: 'NATS with JetStream' }),
    BILLING_ADDRESS: str({ default: '127.0.0.1:50051', desc: 'gRPC of billing, host:port' }),
    DATA_DIR: str({ default: '.data', desc: 'Folder of the built-in mailbox and post' }),
    SMTP_URL: str({ default: undefined, desc: 'smtp://user:password@host:port; unset: the built-in mailbox' }),
    TEST_MAIL: str({
      choices: ['send', 'mailbox'],
      default: env['NODE_ENV'] === 'production' ? 'mailbox' : 'send',
      desc: 'Whether mail of test organisations leaves, or stays in the built-in mailbox',
    }),
    MAIL_FROM: str({ default: undefined, desc: 'Address that mail comes from; needed with SMTP_URL' }),
    BOUNCE_ADDRESS: str({
      default: undefined,
      desc: 'Where mail comes back to that cannot be delivered: as envelope sender, with +<id of the message>',
    }),
    BOUNCE_HOOK_SECRET: secret({ default: undefined, desc: 'Lets a mail server report bounces to /hooks/bounces' }),
    DKIM_DOMAIN: str({ default: undefined, desc: 'Signs mail for this domain; all three or none' }),
    DKIM_SELECTOR: str({ default: undefined }),
    DKIM_KEY_FILE: str({ default: undefined, desc: 'Private key, PEM' }),
    PINGEN_CLIENT_ID: str({
      default: undefined,
      desc: 'Posts letters through Pingen; unset: letters stay in DATA_DIR',
    }),
    PINGEN_CLIENT_SECRET: secret({ default: undefined }),
    PINGEN_ORGANISATION_ID: str({ default: undefined }),
    PINGEN_API_URL: str({ default: 'https://api.pingen.com' }),
    PINGEN_IDENTITY_URL: str({ default: 'https://identity.pingen.com' }),
    PROVIDER_KEY_SECRET: secret({
      default: undefined,
      desc: 'Encrypts the keys of Peppol access points; in production none with a key connects without it',
    }),
    WEBHOOK_SECRET_KEY: secret({ default: undefined, desc: 'Seals webhook secrets in the store; may be set later' }),
  });
  const { values } = loaded;
  if (values.SMTP_URL && !values.MAIL_FROM) throw new ConfigError('MAIL_FROM: is needed with SMTP_URL');
  return {
    host: values.HOST,
    port: values.NOTIFICATION_PORT,
    httpPort: values.NOTIFICATION_HTTP_PORT,
    mongoUri: values.MONGODB_URI,
    natsUrl: values.NATS_URL,
    identity: rpcIdentity(values),
    billingAddress: values.BILLING_ADDRESS,
    dataDir: resolve(values.DATA_DIR),
    smtp: smtpOptions(values),
    bounceHookSecret: values.BOUNCE_HOOK_SECRET,
    testMail: values.TEST_MAIL === 'send' ? 'send' : 'mailbox',
    mailFrom: values.MAIL_FROM ?? DEFAULT_MAIL_FROM,
    // The page shows every invoice to whoever reaches the gateway: never in production.
    showInbox: !values.SMTP_URL && env['NODE_ENV'] !== 'production',
    publicHost: URL.canParse(values.PUBLIC_URL) ? new URL(values.PUBLIC_URL).hostname : '',
    allowLoopbackTargets: values.ALLOW_LOOPBACK_TARGETS,
    webhookSecretKey: values.WEBHOOK_SECRET_KEY,
    providerKeySecret: values.PROVIDER_KEY_SECRET,
    allowPlainKeys: env['NODE_ENV'] !== 'production',
    pingen: pingenOptions(values),
    ...processSettings(loaded),
  };
}

function smtpOptions(
  values: { SMTP_URL?: string | undefined; BOUNCE_ADDRESS?: string | undefined } & Parameters<typeof dkimKey>[0],
): SmtpOptions | undefined {
  const { SMTP_URL: url, BOUNCE_ADDRESS: bounceAddress } = values;
  if (bounceAddress && !isEmailAddress(bounceAddress)) throw new ConfigError('BOUNCE_ADDRESS: is not an address');
  return url ? { url, bounceAddress, dkim: dkimKey(values) } : undefined;
}

function dkimKey(values: {
  DKIM_DOMAIN?: string | undefined;
  DKIM_SELECTOR?: string | undefined;
  DKIM_KEY_FILE?: string | undefined;
}): DkimKey | undefined {
  const { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_KEY_FILE: file } = values;
  if (!domain && !selector && !file) return undefined;
  if (!domain || !selector || !file) {
    throw new ConfigError('DKIM_DOMAIN, DKIM_SELECTOR, DKIM_KEY_FILE: all three or none');
  }
  return { domain, selector, privateKey: readFileSync(file, 'utf8') };
}

function pingenOptions(values: {
  PINGEN_CLIENT_ID?: string | undefined;
  PINGEN_CLIENT_SECRET?: string | undefined;
  PINGEN_ORGANISATION_ID?: string | undefined;
  PINGEN_API_URL: string;
  PINGEN_IDENTITY_URL: string;
}): PingenOptions | undefined {
  const { PINGEN_CLIENT_ID: clientId, PINGEN_CLIENT_SECRET: clientSecret } = values;
  const { PINGEN_ORGANISATION_ID: organisationId, PINGEN_API_URL: apiUrl, PINGEN_IDENTITY_URL: identityUrl } = values;
  if (!clientId && !clientSecret && !organisationId) return undefined;
  if (!clientId || !clientSecret || !organisationId) {
    throw new ConfigError('PINGEN_CLIENT_ID, PINGEN_CLIENT_SECRET, PINGEN_ORGANISATION_ID: all three or none');
  }
  return { clientId, clientSecret, organisationId, apiUrl, identityUrl };
}
