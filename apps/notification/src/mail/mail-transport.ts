/** A message, ready to send. The same input gives the same bytes, so that sending it again is recognised as a repeat. */
export interface OutgoingMail {
  /** UUID of the mail document; Message-ID and boundaries come from it. */
  readonly id: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  /** Of the seller, where it is known; else the sender's own. */
  readonly replyTo: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  /** Date header: when the mail document was made. */
  readonly date: Date;
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** By which the HTML shows it (`cid:`); absent: it is a file to be kept. */
  readonly contentId?: string;
}

/** Codes that callers see as `emailError`. */
export type MailErrorCode =
  | 'no_recipient'
  | 'recipient_rejected'
  | 'smtp_unavailable'
  | 'timeout'
  | 'mail_quota'
  /** A reminder of what is no longer to be reminded of. */
  | 'withdrawn';

/** Where mail goes: an SMTP server or the built-in mailbox. */
export interface MailTransport {
  /** Resolves once the message is accepted for good. Throws MailFailure. */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;
  close: () => void;
}

/** Why a message did not go out, and whether trying again can help. */
export class MailFailure extends Error {
  constructor(
    readonly code: MailErrorCode,
    readonly permanent: boolean,
    options?: ErrorOptions,
  ) {
    super(`mail not sent: ${code}`, options);
    this.name = 'MailFailure';
  }
}
