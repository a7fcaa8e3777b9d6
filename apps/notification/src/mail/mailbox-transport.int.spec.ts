import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { tempFolder } from '@invoicing/testing';
import { sampleMail as mail } from '../testing/sample-mail';
import { mailboxTransport } from './mailbox-transport';

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
