import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { tempFolder } from '@invoicing/testing';
import type { OutgoingMail } from './mail-transport';
import { mailboxTransport } from './mailbox-transport';

const mail: OutgoingMail = {
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

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => (folder = tempFolder()));
afterEach(() => folder.remove());

test('a message sent twice is one file with the same bytes', async () => {
  const signal = AbortSignal.timeout(5_000);
  const path = join(folder.path, 'mail');
  await mailboxTransport(path).send(mail, signal);
  const [name] = readdirSync(path);
  expect(name).toBe(`20261121T030405678Z-${mail.id}.eml`);
  const first = readFileSync(join(path, name!));
  await mailboxTransport(path).send(mail, signal);
  expect(readdirSync(path)).toEqual([name]);
  expect(readFileSync(join(path, name!)).equals(first)).toBe(true);
});

test('names and subject make no header and no recipient of their own', async () => {
  await mailboxTransport(folder.path).send(mail, AbortSignal.timeout(5_000));
  const bytes = readFileSync(join(folder.path, readdirSync(folder.path)[0]!));
  const parsed = await PostalMime.parse(bytes);
  expect(parsed.headers.map(({ key }) => key)).toEqual(expect.not.arrayContaining(['bcc', 'x-evil']));
  expect(parsed.from).toEqual({ name: 'Café "Zon", b.v. Bcc: evil@example.com', address: 'invoices@example.com' });
  expect(parsed.to).toEqual([{ name: 'x <b@example.com>, y', address: 'jan@example.com' }]);
  expect(parsed.subject).toBe('Factuur € X-Evil: 1');
  expect(parsed.messageId).toBe(`<${mail.id}@example.com>`);
  expect(parsed.attachments.map(({ filename, mimeType }) => ({ filename, mimeType }))).toEqual([
    { filename: 'a b.pdf', mimeType: 'application/pdf' },
  ]);
});
