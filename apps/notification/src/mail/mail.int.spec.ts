import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { Party } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { HistoryService } from '@invoicing/contracts/invoicing/notification/v1/history';
import { MailService, WebhooksService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { InvoiceIssued } from '@invoicing/contracts/invoicing/events/v1/events';
import { connectMongo } from '@invoicing/mongo';
import { testCall, waitFor } from '@invoicing/testing';
import { startReceiver } from '../testing/http-receiver';
import { openMailStore } from './mail-store';
import { publishEvents, sampleEvent } from '../testing/publish-event';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

let service: TestNotification;
beforeAll(async () => (service = await startTestNotification()));
afterAll(() => service.close());

const mailboxFiles = (): string[] => readdirSync(join(service.dataDir, 'mail'), { recursive: false }).map(String);
const mail = (identity: string) => service.channel(identity).client(MailService);

async function messageOf(mailId: string) {
  const file = mailboxFiles().find((name) => name.includes(mailId));
  return PostalMime.parse(readFileSync(join(service.dataDir, 'mail', file!)));
}

test('an issued invoice is mailed with its PDF and e-invoice, and only once', async () => {
  const { id: invoiceId, organizationId } = service.billing.addInvoice(randomUUID());
  const billing = mail('billing');
  const answers = await Promise.all(
    [1, 2, 3].map(() => billing.sendInvoice({ organizationId, invoiceId }, testCall())),
  );
  expect(answers).toEqual([1, 2, 3].map(() => ({ emailed: true, emailError: '' })));

  const { messages } = await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall());
  expect(messages).toMatchObject([
    {
      to: 'jan@example.com',
      subject: 'Factuur 2026-0001 van Bakkerij De Zon',
      attachments: ['2026-0001.pdf', '2026-0001.xml'],
      status: 'sent',
      error: '',
    },
  ]);
  expect(mailboxFiles().filter((name) => name.includes(messages[0]!.id))).toHaveLength(1);
  const message = await messageOf(messages[0]!.id);
  expect(message.from).toEqual({ name: 'Bakkerij De Zon', address: 'invoices@example.com' });
  expect(message.replyTo).toEqual([{ name: 'Bakkerij De Zon', address: 'info@dezon.example' }]);
  expect(Buffer.from(message.attachments[0]!.content as ArrayBuffer).toString()).toBe('%PDF-1.7 2026-0001');
});

test('an invoice is sent again as often as somebody asks, each time as a message of its own that says who', async () => {
  const { id: invoiceId, organizationId } = service.billing.addInvoice(randomUUID());
  const billing = mail('billing');
  await billing.sendInvoice({ organizationId, invoiceId }, testCall());
  const anna = { service: 'application', organizationId, userId: 'u-1', label: 'Anna', role: 'owner' } as const;
  const again = testCall({ operationId: randomUUID(), principal: anna });
  const resend = (to: string | undefined, context = testCall({ operationId: randomUUID() })) =>
    billing.resendInvoice({ organizationId, invoiceId, ...(to && { to }) }, context);
  for (const _ of [1, 2])
    expect(await resend('boekhouding@example.nl', again)).toEqual({ emailed: true, emailError: '' });
  expect(await resend(undefined)).toEqual({ emailed: true, emailError: '' });
  await expect(resend('nobody')).rejects.toMatchObject({ details: [{ path: '/to' }] });

  const { messages } = await mail('admin').listMail({ organizationId, invoiceId, limit: 0 }, testCall());
  expect(messages.map(({ to, status, by }) => [to, status, by?.label ?? by?.id])).toEqual([
    ['jan@example.com', 'sent', 'billing'],
    ['boekhouding@example.nl', 'sent', 'Anna'],
    ['jan@example.com', 'sent', undefined],
  ]);
  expect((await messageOf(again.operationId!)).to).toMatchObject([{ address: 'boekhouding@example.nl' }]);
  const history = service.channel('admin').client(HistoryService);
  const { entries } = await history.listHistory({ organizationId, limit: 0 }, testCall());
  expect(entries.map(({ action, subject, by }) => [action, subject?.id, by?.id])).toEqual([
    ['invoice.resent', invoiceId, 'billing'],
    ['invoice.resent', invoiceId, 'u-1'],
  ]);
});

describe('a reminder', () => {
  const content = { withdrawn: false, step: 1, last: false, again: false, text: '' };
  const claim = { openCents: 12_100, costsCents: 4_000, interestCents: 0 };
  const failed = async (organizationId: string) =>
    (await service.collection('mails').findOne({ organizationId } as never)) as unknown as { outbox?: unknown[] };

  test('is mailed once, beside the invoice, with what it asks for at that moment', async () => {
    const { id: invoiceId, organizationId } = service.billing.addInvoice(randomUUID());
    const reminderId = randomUUID();
    service.billing.reminders.set(reminderId, { ...content, claim });
    const send = () => mail('billing').sendReminder({ organizationId, invoiceId, reminderId }, testCall());
    expect(await Promise.all([send(), send(), send()])).toEqual(
      [1, 2, 3].map(() => ({ emailed: true, emailError: '' })),
    );
    await mail('billing').sendInvoice({ organizationId, invoiceId }, testCall());
    const { subject, text, attachments } = await messageOf(reminderId);
    expect(subject).toBe('Herinnering: factuur 2026-0001 van Bakkerij De Zon');
    expect(text).toMatch(/Incassokosten: €\u00a040,00\nSamen te betalen: €\u00a0161,00/);
    expect(attachments).toHaveLength(2);
    expect(mailboxFiles().filter((name) => name.includes(reminderId))).toHaveLength(1);
    const { messages } = await mail('admin').listMail({ organizationId, invoiceId, limit: 0 }, testCall());
    expect(messages).toHaveLength(2);
  });

  test('that billing takes back is not mailed, and did not fail', async () => {
    const { id: invoiceId, organizationId } = service.billing.addInvoice(randomUUID());
    const reminderId = randomUUID();
    service.billing.reminders.set(reminderId, { ...content, withdrawn: true });
    const send = () => mail('billing').sendReminder({ organizationId, invoiceId, reminderId }, testCall());
    for (const _ of [1, 2]) expect(await send()).toEqual({ emailed: false, emailError: 'withdrawn' });
    expect(mailboxFiles().filter((name) => name.includes(reminderId))).toEqual([]);
    expect((await failed(organizationId)).outbox ?? []).toEqual([]);
  });
});

test('the sender is the profile, its logo comes along, and there is always somebody to answer to', async () => {
  const seller = Party.fromPartial({ name: 'Bakkerij De Zon B.V.' });
  const { id: invoiceId, organizationId } = service.billing.addInvoice(randomUUID(), { seller });
  service.billing.brands.set(organizationId, { name: 'De Zon Webshop', logo: PIXEL });
  await mail('billing').sendInvoice({ organizationId, invoiceId }, testCall());
  const { messages } = await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall());
  const { from, replyTo, html, attachments } = await messageOf(messages[0]!.id);
  expect(from).toEqual({ name: 'De Zon Webshop', address: 'invoices@example.com' });
  expect(replyTo).toEqual([{ name: 'De Zon Webshop', address: 'invoices@example.com' }]);
  expect(html).toContain('src="cid:logo"');
  const logo = attachments.find(({ contentId }) => contentId === '<logo>')!;
  expect(logo).toMatchObject({ disposition: 'inline', mimeType: 'image/png' });
  expect(Buffer.from(logo.content as ArrayBuffer)).toEqual(PIXEL);
  expect(messages[0]!.attachments).not.toContain('logo.png');
});

test('mail of a test organisation is marked in its subject and in both bodies', async () => {
  const { id: invoiceId, organizationId } = service.billing.addInvoice(randomUUID(), { test: true });
  await mail('billing').sendInvoice({ organizationId, invoiceId }, testCall());
  const { messages } = await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall());
  const { subject, html, text } = await messageOf(messages[0]!.id);
  expect(subject).toBe('[TEST] Factuur 2026-0001 van Bakkerij De Zon');
  expect(html).toContain('TEST – Dit is een test: er gaat geen geld om.');
  expect(text).toMatch(/^TEST - Dit is een test/);
});

test('an organisation sends so many e-mails a day; what is over waits for the next one', async () => {
  const organizationId = service.billing.addOrganization();
  service.billing.quotas.set(organizationId, 2);
  const send = async () => {
    const { id: invoiceId } = service.billing.addInvoice(organizationId);
    return mail('billing').sendInvoice({ organizationId, invoiceId }, testCall());
  };
  const answers = await Promise.all([send(), send(), send()]);
  expect(answers.filter(({ emailed }) => emailed)).toHaveLength(2);
  expect(answers.filter(({ emailed }) => !emailed)).toEqual([{ emailed: false, emailError: 'mail_quota' }]);

  const mails = service.collection('mails');
  const waiting = { organizationId, status: 'pending' } as never;
  const stored = (await mails.findOne(waiting)) as unknown as { dueAt: Date; attempts: number };
  expect(stored.dueAt.toISOString().slice(11, 13)).toBe('00');
  expect(stored.dueAt.getTime()).toBeGreaterThan(Date.now());
  expect(stored.attempts).toBe(0);

  // The next day.
  await service.collection('mail_days').deleteMany({ organizationId } as never);
  await mails.updateMany(waiting, { $set: { dueAt: new Date() } });
  await waitFor(async () => (await mails.countDocuments({ organizationId, status: 'sent' } as never)) === 3, 15_000);
});

test('an issued event makes up for a call that never came, and meets the message of one that did', async () => {
  const organizationId = randomUUID();
  const lost = service.billing.addInvoice(organizationId, { number: 'LOST' });
  const called = service.billing.addInvoice(organizationId, { number: 'CALLED' });
  await mail('billing').sendInvoice({ organizationId, invoiceId: called.id }, testCall());
  await publishEvents(
    service.nats.url,
    [lost, called].map((invoice) =>
      sampleEvent({
        organizationId,
        invoiceIssued: InvoiceIssued.fromPartial({ invoiceId: invoice.id, number: invoice.number, email: true }),
      }),
    ),
  );
  const messages = await waitFor(async () => {
    const list = await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall());
    return list.messages.filter(({ status }) => status === 'sent').length === 2 && list.messages;
  }, 15_000);
  expect(messages.map(({ attachments }) => attachments[0]).sort()).toEqual(['CALLED.pdf', 'LOST.pdf']);
});

test('a message that a process began and left is sent by another, whatever its event met', async () => {
  const { id: invoiceId, organizationId } = service.billing.addInvoice(randomUUID());
  const connection = await connectMongo({ uri: service.store.uri, database: 'notification' });
  const begin = async () => (await openMailStore(connection)).begin({ organizationId, invoiceId }, 500, {});
  expect((await begin()).isTaken).toBe(true);
  expect(await begin()).toMatchObject({ isTaken: false, mail: { status: 'pending', attempts: 1 } });
  const invoiceIssued = InvoiceIssued.fromPartial({ invoiceId, number: '1', email: true });
  await publishEvents(service.nats.url, [sampleEvent({ organizationId, invoiceIssued })]);
  const mails = service.collection('mails');
  const [mail] = await waitFor(async () => {
    const sent = await mails.find({ organizationId, status: 'sent' } as never).toArray();
    return sent.length > 0 && sent;
  }, 15_000);
  expect(mail).toEqual({
    ...{ _id: expect.any(String), organizationId, invoiceId, to: 'jan@example.com', status: 'sent', error: '' },
    ...{ subject: 'Factuur 2026-0001 van Bakkerij De Zon', attachments: ['2026-0001.pdf', '2026-0001.xml'] },
    ...{ attempts: 2, createdAt: expect.any(Date), sentAt: expect.any(Date) },
    quotaDay: new Date().toISOString().slice(0, 10),
  });
  expect(mailboxFiles().filter((name) => name.includes(mail!._id))).toHaveLength(1);
  await connection.close();
});

test('without an address, or with one that is none, nothing is sent and the code says why', async () => {
  const organizationId = randomUUID();
  for (const [email, code] of [
    ['', 'no_recipient'],
    ['jan@example.com\r\nBcc: all@example.com', 'recipient_rejected'],
  ] as const) {
    const invoice = service.billing.addInvoice(organizationId);
    invoice.buyer!.email = email;
    const request = { organizationId, invoiceId: invoice.id };
    for (let time = 0; time < 2; time++) {
      expect(await mail('billing').sendInvoice(request, testCall())).toEqual({ emailed: false, emailError: code });
    }
  }
  const { messages } = await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall());
  expect(messages.map(({ status }) => status)).toEqual(['failed', 'failed']);
});

test('an e-mail that is given up is told once to the endpoint that asks for it', async () => {
  const hook = await startReceiver();
  const organizationId = service.billing.addOrganization();
  const endpoints = service.channel('admin').client(WebhooksService);
  await endpoints.createEndpoint({ organizationId, url: hook.url, events: ['mail.failed'] }, testCall());
  const failing = service.billing.addInvoice(organizationId);
  failing.buyer!.email = '';
  const sent = service.billing.addInvoice(organizationId);
  for (const { id: invoiceId } of [failing, sent, failing])
    await mail('billing').sendInvoice({ organizationId, invoiceId }, testCall());
  await waitFor(() => hook.received.length > 0);
  const failed = await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall());
  const mailId = failed.messages.find(({ status }) => status === 'failed')!.id;
  expect(JSON.parse(hook.received[0]!.body)).toMatchObject({
    type: 'mail.failed',
    data: { mailId, invoiceId: failing.id, error: 'no_recipient', attempts: 1 },
  });
  // Settled: nothing is left to be told.
  const mails = service.collection('mails');
  await waitFor(async () => (await mails.countDocuments({ 'outbox.0': { $exists: true } })) === 0);
  expect(hook.received).toHaveLength(1);
  await hook.close();
});

test('an invoice of another organisation looks like one that is not there, and leaves no message', async () => {
  const { id: invoiceId } = service.billing.addInvoice(randomUUID());
  const organizationId = randomUUID();
  await expect(mail('billing').sendInvoice({ organizationId, invoiceId }, testCall())).rejects.toMatchObject({
    kind: 'absent',
  });
  await expect(
    mail('billing').sendInvoice({ organizationId, invoiceId: randomUUID() }, testCall()),
  ).rejects.toMatchObject({ kind: 'absent' });
  expect((await mail('admin').listMail({ organizationId, to: undefined, limit: 0 }, testCall())).messages).toEqual([]);
});

test('only billing may have invoices sent, only operators may read the list', async () => {
  const request = { organizationId: randomUUID(), invoiceId: randomUUID() };
  await expect(mail('checkout').sendInvoice(request, testCall())).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(
    mail('billing').listMail({ to: undefined, organizationId: undefined, limit: 0 }, testCall()),
  ).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(
    mail('billing').sendInvoice({ organizationId: '{"$gt":""}', invoiceId: '__proto__' }, testCall()),
  ).rejects.toMatchObject({
    code: 'validation',
    details: [{ path: '/organizationId' }, { path: '/invoiceId' }],
  });
});

test('the inbox lists what was sent and shows a message in a sandbox', async () => {
  const { organizationId, id: invoiceId } = service.billing.addInvoice(randomUUID(), { number: '<b>7</b>' });
  await mail('billing').sendInvoice({ organizationId, invoiceId }, testCall());
  const list = await (await fetch(`${service.httpUrl}/dev/mail`)).text();
  expect(list).toContain('Factuur &lt;b&gt;7&lt;/b&gt; van Bakkerij De Zon');
  const { messages } = await mail('admin').listMail({ organizationId, to: undefined, limit: 1 }, testCall());
  const [, path] = new RegExp(`href="(/dev/mail/[^"]*${messages[0]!.id}\\.eml)"`).exec(list)!;
  const page = await fetch(service.httpUrl + path!);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('sandbox="allow-popups"');
  const html = await fetch(`${service.httpUrl}${path}/html`);
  expect(html.headers.get('content-security-policy')).toContain('sandbox');
  expect(await html.text()).toContain('Bakkerij De Zon');
  const pdf = await fetch(`${service.httpUrl}${path}/attachments/0`);
  expect(pdf.headers.get('content-type')).toContain('application/pdf');
  for (const missing of ['/dev/mail/..%2fplatform.json', `${path}/attachments/9`, '/dev/other']) {
    expect((await fetch(service.httpUrl + missing)).status).toBe(404);
  }
  // What cannot be a path is the asker's fault, not a failure.
  expect((await fetch(`${service.httpUrl}/dev/mail/%ZZ`)).status).toBe(400);
});
