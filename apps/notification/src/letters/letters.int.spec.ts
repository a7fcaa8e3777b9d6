import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LettersService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { InvoiceIssued } from '@invoicing/contracts/invoicing/events/v1/events';
import { testCall, waitFor } from '@invoicing/testing';
import { startFakePingen } from '../testing/fake-pingen';
import { publishEvents, sampleEvent } from '../testing/publish-event';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';

let service: TestNotification;
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Issues an invoice that is to be posted. */
async function post(organizationId: string, changes: Parameters<typeof service.billing.addInvoice>[1] = {}) {
  const { id: invoiceId } = service.billing.addInvoice(organizationId, changes);
  const invoiceIssued = InvoiceIssued.fromPartial({ invoiceId, currency: 'EUR', post: true });
  const event = sampleEvent({ organizationId, invoiceIssued });
  await publishEvents(service.nats.url, [event, event]);
}

const letters = async (organizationId: string) =>
  (await service.channel('admin').client(LettersService).listLetters({ organizationId }, testCall())).letters;
const ended = (organizationId: string, status: string) =>
  waitFor(async () => {
    const found = await letters(organizationId);
    return found.length > 0 && found.every((letter) => letter.status === status) && found;
  });
const ledger = (organizationId: string) => {
  const { balance, letters: reserved } = service.billing.credits(organizationId);
  return { balance, letters: [...reserved.values()] };
};

describe('the built-in carrier', () => {
  beforeAll(async () => {
    service = await startTestNotification();
    closers.push(service.close);
  });

  test('posts a letter once and uses one credit', async () => {
    const organizationId = service.billing.addOrganization(3);
    await post(organizationId);
    const [letter] = await ended(organizationId, 'sent');
    expect(ledger(organizationId)).toEqual({ balance: 2, letters: ['consumed'] });
    const folder = join(service.dataDir, 'post');
    const files = readdirSync(folder).filter((name) => name.includes(letter!.id));
    expect(files.map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual(['%PDF-1.7 2026-0001']);
  });

  test('an invoice is posted by hand: once while it waits, again once it is on its way; each takes a credit', async () => {
    const organizationId = service.billing.addOrganization(2);
    const { id: invoiceId } = service.billing.addInvoice(organizationId);
    const billing = service.channel('billing').client(LettersService);
    const again = testCall({ operationId: randomUUID() });
    const first = await billing.postInvoice({ organizationId, invoiceId }, testCall({ operationId: randomUUID() }));
    await ended(organizationId, 'sent');
    for (const _ of [1, 2]) await billing.postInvoice({ organizationId, invoiceId }, again);
    const sent = await ended(organizationId, 'sent');
    expect(sent.map(({ id }) => id)).toEqual([again.operationId, first.id]);
    expect(ledger(organizationId)).toEqual({ balance: 0, letters: ['consumed', 'consumed'] });
  });

  test('without credits or an address the letter fails and says why; nothing is kept back', async () => {
    const [poor, nowhere] = [service.billing.addOrganization(0), service.billing.addOrganization(1)];
    await post(poor);
    await post(nowhere, { buyer: { name: 'Jan', city: '', addressLine1: '' } as never });
    expect(await ended(poor, 'failed')).toMatchObject([{ error: 'no_credits' }]);
    expect(await ended(nowhere, 'failed')).toMatchObject([{ error: 'no_address' }]);
    expect(ledger(nowhere)).toEqual({ balance: 1, letters: [] });
  });

  test('an invoice that is not there fails; the list is for operators', async () => {
    const organizationId = service.billing.addOrganization(1);
    await post(organizationId);
    const stranger = randomUUID();
    const { id: invoiceId } = service.billing.addInvoice(organizationId);
    const invoiceIssued = InvoiceIssued.fromPartial({ invoiceId, post: true });
    await publishEvents(service.nats.url, [sampleEvent({ organizationId: stranger, invoiceIssued })]);
    expect(await ended(stranger, 'failed')).toMatchObject([{ error: 'rejected' }]);
    await expect(
      service.channel('checkout').client(LettersService).listLetters({ organizationId }, testCall()),
    ).rejects.toMatchObject({ kind: 'forbidden' });
  });
});

test('a reminder is posted once, as it is at that moment; what is paid meanwhile is withdrawn and costs nothing', async () => {
  const pingen = await startFakePingen();
  service = await startTestNotification(() => ({ pingen: pingen.options }));
  closers.push(service.close, pingen.close);
  const organizationId = service.billing.addOrganization(2);
  const { id: invoiceId } = service.billing.addInvoice(organizationId);
  const billing = service.channel('billing').client(LettersService);
  const content = { step: 2, last: false, again: true, claim: undefined, text: '' };
  const remind = async (withdrawn: boolean) => {
    const reminderId = randomUUID();
    service.billing.reminders.set(reminderId, { ...content, withdrawn });
    const asked = { organizationId, invoiceId, reminderId };
    const all = await Promise.all([1, 2, 3].map(() => billing.postReminder(asked, testCall())));
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([reminderId]));
    return { reminderId, now: () => billing.postReminder(asked, testCall()) };
  };
  // The first answer of the carrier is lost, and the second attempt must not be a second letter.
  pingen.state.dropAfterCreate = 1;
  const open = await remind(false);
  await waitFor(() => pingen.letters.size === 1);
  const due = { $set: { dueAt: new Date() } };
  await waitFor(async () => {
    await service.collection('letters').updateOne({ _id: open.reminderId, attempts: 1 } as never, due);
    return (await open.now()).status === 'submitted';
  });
  expect([...pingen.letters.keys()].map((id) => pingen.pdfOf(id)!.toString())).toEqual([
    `%PDF-1.7 reminder ${open.reminderId}`,
  ]);
  const paid = await remind(true);
  await waitFor(async () => (await paid.now()).status === 'failed');
  expect(await paid.now()).toMatchObject({ error: 'withdrawn', reminderId: paid.reminderId });
  expect(ledger(organizationId)).toEqual({ balance: 1, letters: ['reserved'] });
  expect(pingen.letters.size).toBe(1);
});

test('a letter that the real carrier refuses gives its credit back', async () => {
  const pingen = await startFakePingen();
  pingen.state.refuse = 422;
  service = await startTestNotification(() => ({ pingen: pingen.options }));
  closers.push(service.close, pingen.close);
  const organizationId = service.billing.addOrganization(1);
  await post(organizationId);
  expect(await ended(organizationId, 'failed')).toMatchObject([{ error: 'rejected' }]);
  expect(ledger(organizationId)).toEqual({ balance: 1, letters: ['released'] });
});

test('a letter at Pingen is followed: its credit is used when it is sent, and given back once when it never will be', async () => {
  const pingen = await startFakePingen();
  service = await startTestNotification(() => ({ pingen: pingen.options }));
  closers.push(service.close, pingen.close);
  const makeDue = () =>
    service.collection('letters').updateMany({ status: 'submitted' } as never, { $set: { dueAt: new Date() } });
  const handedOver = async () => {
    const organizationId = service.billing.addOrganization(1);
    const known = new Set(pingen.letters.keys());
    await post(organizationId);
    await ended(organizationId, 'submitted');
    return { organizationId, letter: [...pingen.letters].find(([id]) => !known.has(id))![1] };
  };
  const [sent, cancelled] = [await handedOver(), await handedOver()];
  // A Pingen that cannot be asked fails nothing.
  pingen.state.tokens++;
  await service.collection('letters').updateMany({} as never, { $set: { attempts: 500 } });
  await makeDue();
  await waitFor(async () => (await service.collection('letters').countDocuments({ attempts: 501 } as never)) === 1);
  expect(ledger(sent.organizationId)).toEqual({ balance: 0, letters: ['reserved'] });
  sent.letter.status = 'sent';
  cancelled.letter.status = 'cancelled';
  await makeDue();
  await ended(sent.organizationId, 'sent');
  expect(await ended(cancelled.organizationId, 'failed')).toMatchObject([{ error: 'rejected' }]);
  expect(ledger(sent.organizationId)).toEqual({ balance: 0, letters: ['consumed'] });
  expect(ledger(cancelled.organizationId)).toEqual({ balance: 1, letters: ['released'] });
}, 60_000);

test('a letter of a test organisation never reaches a real carrier', async () => {
  const pingen = await startFakePingen();
  service = await startTestNotification(() => ({ pingen: pingen.options }));
  closers.push(service.close, pingen.close);
  const organizationId = service.billing.addOrganization(1);
  await post(organizationId, { test: true });
  const [letter] = await ended(organizationId, 'sent');
  expect(pingen.letters.size).toBe(0);
  expect(readdirSync(join(service.dataDir, 'post')).filter((name) => name.includes(letter!.id))).toHaveLength(1);
});
