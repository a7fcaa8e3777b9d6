import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '@invoicing/telemetry';
import type { MailStore } from './mail-store';
import { readBounce } from './read-bounce';

export const BOUNCE_PATH = '/hooks/bounces';

// A report may bring back the whole message with its attachments.
const LARGEST_REPORT = 10 * 1_048_576;

interface BouncePorts {
  readonly mails: Pick<MailStore, 'markBounced'>;
  /** What whoever reports must show; undefined: nobody reports. */
  readonly secret: string | undefined;
  readonly log: Logger;
}

/**
 * `POST /hooks/bounces`, with `Authorization: Bearer <BOUNCE_HOOK_SECRET>` and a delivery status notification as it came (message/rfc822) for a
 * body. Answers 200 and whether it was of a message of ours that had been sent; 401, 404 (there is no secret), 405, 413.
 */
export function bounceRoute({ mails, secret, log }: BouncePorts): RequestListener {
  return (request, response) => {
    const refused = refusalOf(request, secret);
    if (refused) return answer(response, refused.status, { error: refused.error });
    take(request).then(
      (matched) => answer(response, matched === undefined ? 413 : 200, matched === undefined ? TOO_LARGE : { matched }),
      (error: unknown) => {
        log.error({ error }, 'a bounced mail is not noted');
        answer(response, 503, { error: 'unavailable' });
      },
    );
  };

  async function take(request: IncomingMessage): Promise<boolean | undefined> {
    const raw = await bodyOf(request);
    if (!raw) return undefined;
    const { default: PostalMime } = await import('postal-mime');
    const bounce = readBounce(await PostalMime.parse(raw, { forceRfc822Attachments: true }));
    if (!bounce) return false;
    const mail = await mails.markBounced(bounce.mailId, bounce.reason);
    if (mail) log.warn({ mailId: mail._id, invoiceId: mail.invoiceId }, 'mail bounced');
    return mail !== undefined;
  }
}

const TOO_LARGE = { error: 'payload_too_large' };

function refusalOf(
  { method, headers }: IncomingMessage,
  secret: string | undefined,
): { readonly status: number; readonly error: string } | undefined {
  if (secret === undefined) return { status: 404, error: 'not_found' };
  if (method !== 'POST') return { status: 405, error: 'method_not_allowed' };
  return isSame(headers.authorization ?? '', `Bearer ${secret}`) ? undefined : { status: 401, error: 'unauthorized' };
}

/** Of one length, in one time, whatever was shown. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Undefined when there is too much of it. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_REPORT) chunks.push(chunk);
  }
  return size > LARGEST_REPORT ? undefined : Buffer.concat(chunks);
}

const answer = (response: ServerResponse, status: number, body: object): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
    .end(JSON.stringify(body));
