import { randomUUID } from 'node:crypto';
import { createLogger } from '@invoicing/telemetry';
import { invoiceMailer } from './invoice-mailer';
import type { InvoiceMailPorts } from './mail-ports';

const of = { organizationId: randomUUID(), invoiceId: randomUUID() };

/** A mailer whose messages are in the store when `begin` has ended, and are never sent. */
function mailerThat(begin: Promise<never>) {
  const find = jest.fn(async () => null);
  const ensure = jest.fn(async () => undefined);
  const mails = { begin: () => begin, find, ensure };
  const ports = { mails, log: createLogger('notification', 'silent') } as unknown as InvoiceMailPorts;
  return { mailer: invoiceMailer(ports), find, ensure };
}

test('an event that meets its message on its way into the store is not done before it is there, and fails when it is not', async () => {
  let fail = (_: Error): void => undefined;
  const { mailer, find, ensure } = mailerThat(new Promise((_, reject) => (fail = reject)));
  const sending = mailer.sendNow(of, 1_000);
  let isDone = false;
  const requested = mailer.request(of).finally(() => (isDone = true));
  await new Promise(setImmediate);
  expect([isDone, find.mock.calls.length]).toEqual([false, 0]);

  fail(new Error('the store does not answer'));
  await expect(sending).rejects.toThrow('the store does not answer');
  await expect(requested).rejects.toThrow('the store does not answer');
  // Delivered again, it notes the message itself.
  expect(await mailer.request(of)).toBe(true);
  expect([find.mock.calls.length, ensure.mock.calls.length]).toEqual([1, 1]);
});
