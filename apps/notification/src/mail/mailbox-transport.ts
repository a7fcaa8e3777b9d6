import { keepFile, timeInName } from '../keep-file';
import type { MailTransport, OutgoingMail } from './mail-transport';
import { mimeMessage } from './mime-message';

/** The built-in mailbox: every message becomes a file in `folder`. Sent again, a message writes the same file. */
export function mailboxTransport(folder: string): MailTransport {
  let composer: ReturnType<typeof openComposer> | undefined;
  return {
    send: async (mail) => {
      // Loaded for the first message.
      composer ??= openComposer();
      const { message } = await (await composer).sendMail(mimeMessage(mail));
      await keepFile(folder, mailFileName(mail), message as Buffer);
    },
    close: () => undefined,
  };
}

async function openComposer() {
  const { createTransport } = await import('nodemailer');
  return createTransport({ streamTransport: true, buffer: true });
}

/** `20261121T030025123Z-<id>.eml`: sorts by time. */
const mailFileName = ({ id, date }: Pick<OutgoingMail, 'id' | 'date'>): string => `${timeInName(date)}-${id}.eml`;
