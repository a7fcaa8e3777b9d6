import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from './mail-transport';

/** What nodemailer is given. Everything in it is fixed by the mail, so a repeat has the same Message-ID and the same bytes. */
export function mimeMessage(mail: OutgoingMail): SendMailOptions & { baseBoundary: string } {
  return {
    messageId: `<${mail.id}@${domainOf(mail.from.address)}>`,
    date: mail.date,
    // Addresses as objects, never as text to be parsed: a name cannot become a second recipient.
    from: { name: headerText(mail.from.name), address: mail.from.address },
    to: { name: headerText(mail.to.name), address: mail.to.address },
    replyTo: { name: headerText(mail.from.name), address: mail.replyTo },
    subject: headerText(mail.subject),
    html: mail.html,
    text: mail.text,
    attachments: mail.attachments.map(({ contentId, ...each }) => ({
      ...each,
      filename: headerText(each.filename),
      ...(contentId && { cid: contentId, contentDisposition: 'inline' as const }),
    })),
    headers: { 'Auto-Submitted': 'auto-generated' },
    baseBoundary: mail.id,
    // Nothing in a message may make us read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Text that fits in one header line: control characters, line and paragraph separators become a space. */
export const headerText = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
