import { verifyWebhook, WebhookVerificationError } from '@invoicing/sdk';
import type { EndpointStore } from '../webhooks/endpoint-store';
import type { SecretSealer } from '@invoicing/secrets';

export interface Verdict {
  readonly outcome: 'verified' | 'refused' | 'unknown';
  readonly why: string;
}

export interface KnownSecrets {
  readonly endpoints: Pick<EndpointStore, 'list'>;
  readonly secrets: Pick<SecretSealer, 'open'>;
}

const REASONS: Record<WebhookVerificationError['reason'], string> = {
  headers: 'the headers of Standard Webhooks are missing',
  timestamp: 'the timestamp is more than five minutes off',
  signature: 'fits no secret of the endpoint that points here',
  body: 'fits, but the body is not JSON',
};

/** What a receiver at `path` would make of a message: it is verified with the secrets of the endpoints whose URL has this path. */
export async function verifyReceived(
  { endpoints, secrets }: KnownSecrets,
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const now = new Date();
  const pointingHere = (await endpoints.list(undefined)).filter(({ url }) => new URL(url).pathname === path);
  if (pointingHere.length === 0)
    return { outcome: 'unknown', why: 'not checked: no endpoint points here, so there is no secret to check with' };
  let refused: WebhookVerificationError | undefined;
  for (const endpoint of pointingHere)
    for (const { sealed, validUntil } of endpoint.secrets) {
      if (validUntil && validUntil < now) continue;
      try {
        await verifyWebhook(body, headers, secrets.open(sealed, endpoint._id));
        return { outcome: 'verified', why: 'fits the secret of the endpoint that points here' };
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        refused = error;
      }
    }
  return { outcome: 'refused', why: REASONS[refused!.reason] };
}
