import { secretSealer, type SecretSealer } from '@invoicing/secrets';

/** Keeps the secrets that webhooks are signed with, under WEBHOOK_SECRET_KEY, bound to the endpoint's id. */
export const webhookSecrets = (secret: string | undefined): SecretSealer =>
  secretSealer({
    secret,
    setting: 'WEBHOOK_SECRET_KEY',
    purpose: { service: 'notification', values: 'webhook-secrets' },
  });
