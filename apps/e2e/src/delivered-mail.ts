import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

export interface DeliveredMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** All words of the attached PDF. */
  readonly pdf: string;
}

/** What lies in the built-in mailbox for one address, in words: runs of white space are one space. */
export async function deliveredMail(dataDir: string, to: string): Promise<DeliveredMail[]> {
  const folder = join(dataDir, 'mail');
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(files.map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
  return mails
    .filter((mail) => mail.to?.some(({ address }) => address === to))
    .map(({ subject = '', html = '', text = '', attachments }) => {
      const pdf = attachments.find(({ mimeType }) => mimeType === 'application/pdf')!;
      return { subject, html: words(html), text: words(text), pdf: wordsOfPdf(pdf.content as ArrayBuffer) };
    });
}

const words = (text: string): string => text.replace(/\s+/g, ' ');

function wordsOfPdf(bytes: ArrayBuffer): string {
  const input = Buffer.from(bytes).toString('base64');
  const read = execFileSync(process.execPath, [join(__dirname, 'pdf-actions.mjs')], { input, encoding: 'utf8' });
  return words((JSON.parse(read) as { text: string }).text);
}
