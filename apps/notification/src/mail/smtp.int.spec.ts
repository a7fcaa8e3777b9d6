import { createVerify, createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import PostalMime from 'postal-mime';
import { freePort } from '@invoicing/events';
import { MailService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import type { Collection } from '@invoicing/mongo';
import { testCall, waitFor } from '@invoicing/testing';
import { smtpError, startSmtpReceiver, type SmtpBehaviour } from '../testing/smtp-receiver';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';
import { testCertificate } from '../testing/test-certificate';
import { sampleMail } from '../testing/sample-mail';
import { smtpTransport, type SmtpOptions } from './smtp-transport';

const behaviour: SmtpBehaviour = {};
const dkim = generateKeyPairSync('rsa', { modulusLength: 2_048 });
let receiver: Awaited<ReturnType<typeof startSmtpReceiver>>;
let service: TestNotification;

const serviceWith = (smtp: SmtpOptions): Promise<TestNotification> =>
  startTestNotification(() => ({ smtp, showInbox: false }));

beforeAll(async () => {
  receiver = await startSmtpReceiver(behaviour);
  const privateKey = dkim.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  service = await serviceWith({
    url: receiver.url,
    ca: testCertificate.cert,
    dkim: { domain: 'example.com', selector: 's1', privateKey },
  });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(() => {
  delete behaviour.onMessage;
  delete behaviour.onRecipient;
  receiver.received.length = 0;
});

const newInvoice = () => {
  const { organizationId, id: invoiceId } = service.billing.addInvoice(randomUUID());
  return { organizationId, invoiceId };
};
const send = (request: { organizationId: string; invoiceId: string }) =>
  service.channel('billing').client(MailService).sendInvoice(request, testCall());
const stored = async ({ organizationId }: { organizationId: string }) => {
  const admin = service.channel('admin').client(MailService);
  return (await admin.listMail({ organizationId, to: undefined, limit: 0 }, testCall())).messages[0]!;
};
/** As if the wait before the next attempt were over. */
const makeDue = () =>
  service.collection('mails').updateMany({ status: 'pending' } as never, { $set: { dueAt: new Date() } });

test('each invoice arrives once, over TLS, whoever asks how often', async () => {
  const invoices = Array.from({ length: 12 }, newInvoice);
  await Promise.all([...invoices, ...invoices].map(send));
  // On a busy machine an answer may come before the message is out.
  await waitFor(async () => (await Promise.all(invoices.map(stored))).every(({ status }) => status === 'sent'), 60_000);
  const answers = await Promise.all(invoices.map(send));
  expect(answers).toEqual(invoices.map(() => ({ emailed: true, emailError: '' })));
  expect(receiver.received).toHaveLength(invoices.length);
  expect(receiver.received.every(({ secure, from }) => secure && from === 'invoices@example.com')).toBe(true);
  const ids = await Promise.all(receiver.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId));
  expect(new Set(ids).size).toBe(invoices.length);
}, 90_000);

test('a recipient that is refused is final', async () => {
  behaviour.onRecipient = () => smtpError(550, 'no such user');
  const invoice = newInvoice();
  expect(await send(invoice)).toEqual({ emailed: false, emailError: 'recipient_rejected' });
  expect(await send(invoice)).toEqual({ emailed: false, emailError: 'recipient_rejected' });
  expect(await stored(invoice)).toMatchObject({ status: 'failed', error: 'recipient_rejected', to: 'jan@example.com' });
  expect(receiver.received).toEqual([]);
});

test('a message that is refused for good is final', async () => {
  behaviour.onMessage = () => smtpError(554, 'looks like spam');
  const invoice = newInvoice();
  expect(await send(invoice)).toEqual({ emailed: false, emailError: 'recipient_rejected' });
  expect(await stored(invoice)).toMatchObject({ status: 'failed' });
});

test('greylisting: told at once, tried again in the background, arrives once', async () => {
  let attempts = 0;
  behaviour.onRecipient = () => (attempts++ < 1 ? smtpError(451, 'greylisted, come back') : undefined);
  const invoice = newInvoice();
  expect(await send(invoice)).toEqual({ emailed: false, emailError: 'smtp_unavailable' });
  expect(await stored(invoice)).toMatchObject({ status: 'pending', error: 'smtp_unavailable' });
  // Asking again does not make it go sooner.
  expect(await send(invoice)).toEqual({ emailed: false, emailError: 'smtp_unavailable' });
  expect(attempts).toBe(1);
  await makeDue();
  await waitFor(async () => (await stored(invoice)).status === 'sent', 20_000);
  expect(await send(invoice)).toEqual({ emailed: true, emailError: '' });
  expect(receiver.received).toHaveLength(1);
});

test('a server that hangs up in the middle of a message gets it again, with the same Message-ID', async () => {
  const seen: string[] = [];
  behaviour.onMessage = (raw) => {
    seen.push(/^message-id: (.*)$/im.exec(raw.toString())![1]!);
    if (seen.length > 1) return undefined;
    receiver.dropConnections();
    return smtpError(421, 'gone');
  };
  const invoice = newInvoice();
  expect(await send(invoice)).toEqual({ emailed: false, emailError: 'smtp_unavailable' });
  await makeDue();
  await waitFor(async () => (await stored(invoice)).status === 'sent', 20_000);
  expect(seen).toEqual([seen[0], seen[0]]);
  expect(receiver.received).toHaveLength(1);
});

test('no server, or one whose certificate nobody vouches for: unavailable, and nothing is sent', async () => {
  for (const url of [`smtp://localhost:${await freePort()}`, receiver.url]) {
    const transport = smtpTransport({ url });
    const failure = transport.send(sampleMail, AbortSignal.timeout(10_000));
    await expect(failure).rejects.toMatchObject({ code: 'smtp_unavailable', permanent: false });
    transport.close();
  }
  expect(receiver.received).toEqual([]);
});

test('a password goes to no other machine in the clear', async () => {
  const said: string[] = [];
  const plain = createServer((socket) => {
    socket.write('220 plain\r\n');
    socket.on('data', (chunk) => {
      const command = chunk.toString().trim();
      said.push(command);
      if (command.startsWith('EHLO')) socket.write('250-plain\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (command.startsWith('AUTH')) socket.write('235 welcome\r\n');
      else socket.write(command === 'STARTTLS' ? '454 not now\r\n' : '250 ok\r\n');
    });
    socket.on('error', () => socket.destroy());
  });
  // As any other machine: only this one by its usual names is excepted.
  plain.listen(0, '127.0.0.2');
  await once(plain, 'listening');
  const transport = smtpTransport({ url: `smtp://ada:secret@127.0.0.2:${(plain.address() as AddressInfo).port}` });
  await expect(transport.send(sampleMail, AbortSignal.timeout(10_000))).rejects.toMatchObject({ permanent: false });
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((command) => /^(AUTH|MAIL|DATA)/.test(command))).toEqual([]);
  transport.close();
  plain.close();
});

test('a server that never greets: the answer does not wait for the attempt to end, nor does stopping', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const slow = await serviceWith({ url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` });
  const { organizationId, id: invoiceId } = slow.billing.addInvoice(randomUUID());
  const billing = slow.channel('billing').client(MailService);
  const answer = await billing.sendInvoice({ organizationId, invoiceId }, testCall());
  expect(answer).toEqual({ emailed: false, emailError: 'timeout' });
  const mails = slow.collection('mails') as unknown as Collection<{ _id: string; attempts: number; error: string }>;
  expect(await mails.findOne({})).toMatchObject({ attempts: 1, error: '' });
  // An attempt that stopping ends does not count; one that comes to its own end would.
  await slow.stop();
  expect(await mails.findOne({})).toMatchObject({ attempts: 0, status: 'pending' });
  await slow.close();
  silent.close();
});

test('DKIM: the signature verifies with the published key (RFC 6376, relaxed)', async () => {
  await send(newInvoice());
  const [headerText = '', ...rest] = receiver.received[0]!.raw.toString('latin1').split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const fields = headerText.split(/\r\n(?![ \t])/).map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1) };
  });
  const relax = (value: string): string =>
    value
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim();
  const signature = fields.find(({ name }) => name === 'dkim-signature')!;
  const tags = Object.fromEntries(
    relax(signature.value)
      .split(';')
      .map((tag) =>
        tag
          .trim()
          .split(/=(.*)/s)
          .map((part) => part.trim()),
      ),
  ) as Record<string, string>;
  expect(tags).toMatchObject({ d: 'example.com', s: 's1', a: 'rsa-sha256', c: 'relaxed/relaxed' });

  const relaxedBody = `${body
    .replace(/[ \t]+(?=\r\n|$)/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/(\r\n)+$/, '')}\r\n`;
  expect(tags['bh']!.replace(/ /g, '')).toBe(createHash('sha256').update(relaxedBody, 'latin1').digest('base64'));
  const signed = tags['h']!.split(':')
    .map((name) => name.trim().toLowerCase())
    .flatMap((name) => fields.filter((field) => field.name === name).map(({ value }) => `${name}:${relax(value)}\r\n`))
    .join('');
  const ownField = `dkim-signature:${relax(signature.value).replace(/\bb=[^;]*/, 'b=')}`;
  const verifier = createVerify('RSA-SHA256').update(signed + ownField, 'latin1');
  expect(verifier.verify(dkim.publicKey, tags['b']!.replace(/ /g, ''), 'base64')).toBe(true);
  expect(tags['h']).toMatch(/from/i);
});

test('mail of a test organisation stays in the mailbox unless the operator says that it leaves', async () => {
  const mailServer = await startSmtpReceiver({});
  const keeper = await startTestNotification(() => ({
    smtp: { url: mailServer.url, ca: testCertificate.cert },
    testMail: 'mailbox',
  }));
  try {
    const mailOf = async (test: boolean) => {
      const { organizationId, id: invoiceId } = keeper.billing.addInvoice(randomUUID(), { test });
      return keeper.channel('billing').client(MailService).sendInvoice({ organizationId, invoiceId }, testCall());
    };
    expect(await mailOf(true)).toEqual({ emailed: true, emailError: '' });
    expect(mailServer.received).toHaveLength(0);
    expect(readdirSync(join(keeper.dataDir, 'mail'))).toHaveLength(1);
    expect(await mailOf(false)).toEqual({ emailed: true, emailError: '' });
    expect(mailServer.received).toHaveLength(1);
  } finally {
    await keeper.close();
    await mailServer.close();
  }
});
