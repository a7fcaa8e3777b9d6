import { TextDecoder } from 'node:util';
import type { Email } from 'postal-mime';

/** What a report says of a message of ours that could not be delivered. */
export interface Bounce {
  /** UUID of the message. */
  readonly mailId: string;
  /** What the recipient's server said, in one line; may be empty. */
  readonly reason: string;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The address that bounces come back to names the message after a plus (VERP). */
const ADDRESSED = new RegExp(`\\+(${UUID})@`, 'i');
const MESSAGE_ID = new RegExp(`^message-id:\\s*<(${UUID})@`, 'im');
const RECEIVED_BY = ['delivered-to', 'x-original-to', 'envelope-to', 'to'];
const LONGEST_REASON = 300;

/**
 * Reads a delivery status notification (RFC 3464). Undefined for what is none, tells of no failure (a delay, a receipt), or names no message of ours:
 * by the address that it came back to, else by the Message-ID of what it returns.
 */
export function readBounce(report: Email): Bounce | undefined {
  const recipients = partOf(report, 'message/delivery-status')
    .split(/\r?\n\s*\r?\n/)
    .map(fieldsOf);
  const failed = recipients.find((fields) => fields.get('action')?.toLowerCase() === 'failed');
  if (!failed) return undefined;
  const mailId = addressedTo(report) ?? MESSAGE_ID.exec(returnedOf(report))?.[1];
  if (!mailId) return undefined;
  return { mailId: mailId.toLowerCase(), reason: reasonOf(failed) };
}

function addressedTo({ headers }: Email): string | undefined {
  const found = RECEIVED_BY.flatMap((name) => headers.filter(({ key }) => key === name).map(({ value }) => value));
  return found.map((value) => ADDRESSED.exec(value)?.[1]).find((id) => id !== undefined);
}

/** The headers of the message that came back, however much of it did. */
const returnedOf = (report: Email): string =>
  ['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global', 'message/global-headers']
    .map((type) => partOf(report, type))
    .join('\n');

function partOf({ attachments }: Email, mimeType: string): string {
  const content = attachments.find((part) => part.mimeType === mimeType)?.content;
  return content === undefined || typeof content === 'string' ? (content ?? '') : new TextDecoder().decode(content);
}

/** Field names in small letters; a folded field goes on in the next line. */
function fieldsOf(block: string): Map<string, string> {
  const lines = block.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const] : [];
    }),
  );
}

/** `5.1.1 550 no such user`: the status, and what is said of it without its type (`smtp;`). */
function reasonOf(fields: Map<string, string>): string {
  const said = fields.get('diagnostic-code')?.replace(/^[\w-]+\s*;\s*/, '') ?? '';
  const status = fields.get('status') ?? '';
  const line = said.includes(status) ? said : `${status} ${said}`;
  return line
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_REASON);
}
