import type { Transporter } from 'nodemailer';
import { bounceAddressOf } from './bounce-address';
import { MailFailure, type MailTransport } from './mail-transport';
import { mimeMessage } from './mime-message';

export interface DkimKey {
  readonly domain: string;
  readonly selector: string;
  /** PEM. */
  readonly privateKey: string;
}

export interface SmtpOptions {
  /** `smtps://user:password@host:port`, or `smtp://` with STARTTLS where the server offers it. */
  readonly url: string;
  readonly dkim?: DkimKey | undefined;
  /** Where messages come back to that cannot be delivered; without it, to the address that they come from. */
  readonly bounceAddress?: string | undefined;
  /** Trusts this authority beside the system's own, PEM. */
  readonly ca?: string | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/** SMTP through a pool of connections. */
export function smtpTransport({ url, dkim, ca, bounceAddress }: SmtpOptions): MailTransport {
  let pool: Promise<Transporter> | undefined;
  return {
    send: async (mail, signal) => {
      try {
        // Loaded for the first message.
        pool ??= openPool({ url, dkim, ca });
        const envelope = bounceAddress && {
          envelope: { from: bounceAddressOf(bounceAddress, mail.id), to: mail.to.address },
        };
        await (await pool).sendMail({ ...mimeMessage(mail), ...envelope, signal });
      } catch (error) {
        throw failureOf(error as SmtpError);
      }
    },
    close: () => void pool?.then((opened) => opened.close()),
  };
}

async function openPool({ url, dkim, ca }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { username, hostname } = new URL(url);
  return createTransport({
    pool: true,
    url,
    maxConnections: 4,
    // A connection that broke under a message: once more on a new one, then our own schedule decides.
    maxRequeues: 1,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // A password never travels in the clear, but to this machine.
    requireTLS: username !== '' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname),
    ...(ca && { tls: { ca } }),
    ...(dkim && {
      dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey },
    }),
  });
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** What an SMTP error means for the message. RFC 5321: 5yz is final, 4yz (greylisting too) is not. */
function failureOf(error: SmtpError): MailFailure {
  const { code, command, responseCode = 0 } = error;
  const refused = responseCode >= 500 && responseCode !== 503 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  // A sender that is refused is the operator's to mend: the recipient did nothing wrong.
  if (refused && command !== 'MAIL FROM') return new MailFailure('recipient_rejected', true, { cause: error });
  const late = code === 'ETIMEDOUT' || code === 'EABORT' || error.name === 'AbortError';
  return new MailFailure(late ? 'timeout' : 'smtp_unavailable', false, { cause: error });
}
