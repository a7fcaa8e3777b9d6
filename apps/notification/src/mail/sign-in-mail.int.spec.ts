import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { MailService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { testCall } from '@invoicing/testing';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';

let service: TestNotification;
beforeAll(async () => (service = await startTestNotification()));
afterAll(() => service.close());

const asked = {
  to: 'sanne@example.nl',
  url: 'https://invoicing.test/app/sign-in/code?code=ABCD-2345',
  code: 'ABCD-2345',
  organizationName: '',
  language: 'nl',
};
const send = (changes: Partial<typeof asked> = {}) =>
  service
    .channel('application')
    .client(MailService)
    .sendSignIn({ ...asked, ...changes }, testCall());

async function messageTo(address: string) {
  const folder = join(service.dataDir, 'mail');
  for (const file of readdirSync(folder)) {
    const message = await PostalMime.parse(readFileSync(join(folder, file)));
    if (message.to?.[0]?.address === address) return message;
  }
  throw new Error(`no message to ${address}`);
}

test('the link and the code arrive, in both bodies, and nothing of them is kept in the store', async () => {
  await send();
  const { subject, html, text } = await messageTo(asked.to);
  expect(subject).toBe('Inloggen');
  for (const body of [html, text]) {
    expect(body).toContain(asked.code);
    expect(body).toContain(asked.url);
  }
  expect(await service.collection('mails').countDocuments()).toBe(0);
});

test('the mailbox shows it', async () => {
  await send({ to: 'shown@example.nl' });
  expect(await (await fetch(`${service.httpUrl}/dev/mail`, { headers: { host: 'localhost' } })).text()).toContain(
    'shown@example.nl',
  );
});

test('an invitation names who invites, and a name is no markup', async () => {
  await send({ to: 'an@example.nl', code: '', organizationName: 'Zon <b>& maan', language: 'en' });
  const { subject, html, text } = await messageTo('an@example.nl');
  expect(subject).toBe('Invitation from Zon <b>& maan');
  expect(html).toContain('Zon &lt;b&gt;&amp; maan invites you');
  expect(text).toContain('Zon <b>& maan invites you');
});

test('what makes no message is refused, all of it at once', async () => {
  const wrong = { to: 'nobody', url: 'javascript:alert(1)', code: 'x'.repeat(21), language: 'xx' };
  const error = await send({ ...wrong, organizationName: 'x'.repeat(201) }).then(
    () => undefined,
    (failure: { details?: { path: string }[] }) => failure.details,
  );
  expect(error?.map(({ path }) => path).sort()).toEqual(['/code', '/language', '/organizationName', '/to', '/url']);
});
