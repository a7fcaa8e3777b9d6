import { keepFile, timeInName } from '../keep-file';
import type { MailTransport, OutgoingMail } from './mail-transport';
import { mimeMessage } from './mime-message';

/** The built-in mailbox: every message becomes a file in `folder`. Sent again, a message writes the same file. */
export function mailboxTransport(folder: string): MailTransport {
  return {
    send: async (mail) => {
      // Loaded for the first message.
      const { createTransport } = await import('nodemailer');
      const composer = createTransport({ streamTransport: true, buffer: true });
      const { message } = await composer.sendMail(mimeMessage(mail));
      await keepFile(folder, mailFileName(mail), message as Buffer);
    },
    close: () => undefined,
  };
}

/** `20261121T030025123Z-<id>.eml`: sorts by time. */
const mailFileName = ({ id, date }: Pick<OutgoingMail, 'id' | 'date'>): string => `${timeInName(date)}-${id}.eml`;
