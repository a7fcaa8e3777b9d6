import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
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
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, mailFileName(mail));
      // A reader sees the whole file or none.
      const draft = `${file}.${process.pid}.tmp`;
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(message as Buffer);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
    },
    close: () => undefined,
  };
}

/** `20261121T030025123Z-<id>.eml`: sorts by time. */
const mailFileName = ({ id, date }: Pick<OutgoingMail, 'id' | 'date'>): string =>
  `${date.toISOString().replace(/[-:.]/g, '')}-${id}.eml`;
