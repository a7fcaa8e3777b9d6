import { createPublicKey, randomUUID } from 'node:crypto';
import { SenderService } from '@invoicing/contracts/invoicing/notification/v1/sender';
import { AppError, validationError } from '@invoicing/errors';
import { bindService } from '@invoicing/rpc';
import { isEmailAddress } from '@invoicing/rules';
import { requireUuid } from '../request-rules';
import { MailFailure, type MailTransport, type OutgoingMail } from './mail-transport';
import type { SmtpOptions } from './smtp-transport';

/** How mail leaves. */
export interface SenderPorts {
  readonly transport: MailTransport;
  readonly from: OutgoingMail['from'];
  /** Undefined: mail stays in the built-in mailbox. */
  readonly smtp: SmtpOptions | undefined;
}

const TEXTS: Readonly<Record<string, { readonly subject: string; readonly text: string }>> = {
  nl: { subject: 'Proefmail', text: 'Deze mail kwam aan: uw facturen komen op dezelfde weg.' },
  en: { subject: 'Test mail', text: 'This mail arrived: your invoices come the same way.' },
};

/** The address that mail comes from, and a mail to try it. */
export const senderService = ({ transport, from, smtp }: SenderPorts) =>
  bindService(
    SenderService,
    {
      getSender: async ({ organizationId }) => {
        requireUuid({ organizationId });
        const { dkim } = smtp ?? {};
        return {
          address: from.address,
          leaves: smtp !== undefined,
          server: smtp ? new URL(smtp.url).hostname : '',
          dkimRecord: dkim ? `${dkim.selector}._domainkey.${dkim.domain}` : '',
          dkimValue: dkim ? dkimValue(dkim.privateKey) : '',
        };
      },
      sendTestMail: async ({ organizationId, to, language }, { signal, operationId = randomUUID() }) => {
        requireUuid({ organizationId });
        const texts = TEXTS[language];
        if (!isEmailAddress(to)) throw validationError([{ path: '/to', message: 'must be an e-mail address' }]);
        if (!texts)
          throw validationError([{ path: '/language', message: `must be one of ${Object.keys(TEXTS).join(', ')}` }]);
        await sent(transport, { id: operationId, from, to: { name: '', address: to }, ...texts }, signal);
        return {};
      },
    },
    {
      getSender: { callers: ['application', 'admin'], action: 'settings.read' },
      sendTestMail: { callers: ['application', 'admin'], action: 'settings.write' },
    },
  );

async function sent(
  transport: MailTransport,
  mail: Pick<OutgoingMail, 'id' | 'from' | 'to' | 'subject' | 'text'>,
  signal: AbortSignal,
): Promise<void> {
  const html = `<p>${mail.text}</p>`;
  try {
    await transport.send({ ...mail, html, replyTo: mail.from.address, attachments: [], date: new Date() }, signal);
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    if (error.permanent) throw validationError([{ path: '/to', message: 'is refused by its mail server' }]);
    throw new AppError('unavailable', 'unavailable', `mail not sent: ${error.code}`, { cause: error });
  }
}

/** The record by which recipients check our signature (RFC 6376, section 3.6.1). */
function dkimValue(privateKey: string): string {
  const key = createPublicKey(privateKey);
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  const der = key.export({ type: 'spki', format: 'der' });
  // RFC 8463: of Ed25519 the 32 bytes of the key alone.
  const bytes = isEd25519 ? der.subarray(-32) : der;
  return `v=DKIM1; k=${isEd25519 ? 'ed25519' : 'rsa'}; p=${bytes.toString('base64')}`;
}
