import type { OutgoingMail } from '../mail/mail-transport';

/** A message whose names try to become headers, recipients and markup. */
export const sampleMail: OutgoingMail = {
  id: '11111111-2222-4333-8444-555555555555',
  from: { name: 'Café "Zon", b.v.\r\nBcc: evil@example.com', address: 'invoices@example.com' },
  to: { name: 'x <b@example.com>, y', address: 'jan@example.com' },
  replyTo: 'info@example.com',
  subject: 'Factuur €\nX-Evil: 1',
  html: '<p>é</p>',
  text: 'é',
  attachments: [{ filename: 'a\r\nb.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') }],
  date: new Date('2026-11-21T03:04:05.678Z'),
};
