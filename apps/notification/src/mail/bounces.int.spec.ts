import { randomUUID } from 'node:crypto';
import { MailService, WebhooksService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { testCall, waitFor } from '@invoicing/testing';
import { startReceiver } from '../testing/http-receiver';
import { sampleBounce } from '../testing/sample-bounce';
import { startSmtpReceiver } from '../testing/smtp-receiver';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';
import { testCertificate } from '../testing/test-certificate';

const SECRET = 'a secret of the mail server';
let receiver: Awaited<ReturnType<typeof startSmtpReceiver>>;
let service: TestNotification;
beforeAll(async () => {
  receiver = await startSmtpReceiver();
  const smtp = { url: receiver.url, ca: testCertificate.cert, bounceAddress: 'bounces@example.com' };
  service = await startTestNotification(() => ({ smtp, bounceHookSecret: SECRET, showInbox: false }));
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const mail = (identity: string) => service.channel(identity).client(MailService);
const report = (body: string, authorization = `Bearer ${SECRET}`) =>
  fetch(`${service.httpUrl}/hooks/bounces`, { method: 'POST', headers: { authorization }, body });
const stored = async (organizationId: string) =>
  (await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall())).messages;

test('a message that comes back is failed with its reason, told once, and sent again to another address', async () => {
  const hook = await startReceiver();
  const { organizationId, id: invoiceId } = service.billing.addInvoice(randomUUID());
  const endpoint = { organizationId, url: hook.url, events: ['mail.failed'] };
  await service.channel('admin').client(WebhooksService).createEndpoint(endpoint, testCall());
  expect(await mail('billing').sendInvoice({ organizationId, invoiceId }, testCall())).toMatchObject({ emailed: true });
  const { from } = receiver.received[0]!;
  const [sent] = await stored(organizationId);
  expect(from).toBe(`bounces+${sent!.id}@example.com`);

  const bounce = sampleBounce({ to: from, messageId: sent!.id });
  for (const matched of [true, false]) {
    const answer = await report(bounce);
    expect([answer.status, await answer.json()]).toEqual([200, { matched }]);
  }
  const reason = '550 5.1.1 <jan@example.com>: Recipient address rejected: User unknown';
  expect(await stored(organizationId)).toMatchObject([{ id: sent!.id, status: 'failed', error: 'bounced', reason }]);
  await waitFor(() => hook.received.length > 0);
  expect(JSON.parse(hook.received[0]!.body)).toMatchObject({
    ...{ type: 'mail.failed', data: { mailId: sent!.id, invoiceId, error: 'bounced', reason } },
  });
  expect(hook.received).toHaveLength(1);

  const again = testCall({ operationId: randomUUID() });
  await mail('billing').resendInvoice({ organizationId, invoiceId, to: 'piet@example.com' }, again);
  expect((await stored(organizationId)).map(({ to, status }) => `${to} ${status}`)).toEqual([
    'piet@example.com sent',
    'jan@example.com failed',
  ]);
  await hook.close();
});

test('a delay changes nothing, nor does a report about what was never sent', async () => {
  const { organizationId, id: invoiceId } = service.billing.addInvoice(randomUUID());
  await mail('billing').sendInvoice({ organizationId, invoiceId }, testCall());
  const [sent] = await stored(organizationId);
  for (const bounce of [
    sampleBounce({ to: 'x@example.com', messageId: sent!.id, action: 'delayed' }),
    sampleBounce({ to: 'x@example.com', messageId: randomUUID() }),
  ])
    expect(await (await report(bounce)).json()).toEqual({ matched: false });
  expect(await stored(organizationId)).toMatchObject([{ status: 'sent', error: '', reason: '' }]);
});

test('only who has the secret reports, and only so much', async () => {
  expect((await report('x', 'Bearer another')).status).toBe(401);
  expect((await fetch(`${service.httpUrl}/hooks/bounces`)).status).toBe(405);
  expect((await report('x'.repeat(10 * 1_048_576 + 1))).status).toBe(413);
});
