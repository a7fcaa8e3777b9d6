import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvoiceStatus, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { InvoiceIssued } from '@invoicing/contracts/invoicing/events/v1/events';
import { WebhooksService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { PeppolService, type PeppolDelivery } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { testCall, waitFor } from '@invoicing/testing';
import { startReceiver } from '../testing/http-receiver';
import { publishEvents, sampleEvent } from '../testing/publish-event';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';
import { LEGAL_ENTITY, STORECOVE_KEY, StorecoveImitation } from '../testing/storecove-imitation';

const storecove = new StorecoveImitation();
let service: TestNotification;
beforeAll(async () => {
  [service] = await Promise.all([startTestNotification(), storecove.start()]);
});
afterAll(async () => {
  await service.close();
  storecove.stop();
});

const admin = () => service.channel('admin').client(PeppolService);
const billing = () => service.channel('billing').client(PeppolService);

// Two Belgian businesses; the buyer's enterprise number has its check digits.
const seller = { ...belgian('Brouwerij', '0403170701'), iban: 'BE71096123456769' };
const buyer = belgian('Hotel', '0123456749');
function belgian(name: string, kvkNumber: string) {
  const address = { addressLine1: 'Grote Markt 1', postalCode: '1000', city: 'Brussel', countryCode: 'BE' };
  return { ...address, name, companyName: name, kvkNumber, btwId: `BE${kvkNumber}`, email: '', bic: '', iban: '' };
}

async function connected(organizationId: string): Promise<void> {
  await admin().connectAccessPoint(
    {
      ...{ organizationId, accessPoint: 'storecove', apiKey: STORECOVE_KEY, senderId: `${LEGAL_ENTITY}` },
      baseUrl: storecove.url,
    },
    testCall({ operationId: randomUUID() }),
  );
}

/** The seller's organisation, connected to Storecove, with one invoice. */
async function shop(changes: Partial<Invoice> = {}): Promise<{ organizationId: string; invoiceId: string }> {
  const organizationId = service.billing.addOrganization();
  await connected(organizationId);
  const { id: invoiceId } = service.billing.addInvoice(organizationId, { seller, buyer, ...changes } as never);
  return { organizationId, invoiceId };
}

const issued = (of: { organizationId: string; invoiceId: string }, peppol: string) => {
  const { organizationId, invoiceId } = of;
  const invoiceIssued = InvoiceIssued.fromPartial({ invoiceId, currency: 'EUR', peppol });
  const event = sampleEvent({ organizationId, invoiceIssued });
  return publishEvents(service.nats.url, [event, event]);
};

const deliveries = async (of: { organizationId: string; invoiceId: string }): Promise<PeppolDelivery[]> =>
  (await admin().listDeliveries({ ...of, limit: 0 }, testCall())).deliveries;
const ended = (of: { organizationId: string; invoiceId: string }, status: string) =>
  waitFor(async () => {
    const [latest] = await deliveries(of);
    return latest?.status === status && latest;
  }, 20_000);

test('what the law asks for is sent at once, and delivered when the network has acknowledged it', async () => {
  const of = await shop();
  storecove.acknowledges = false;
  const begun = await billing().requestDelivery(of, testCall());
  expect(begun).toMatchObject({ status: 'submitted', error: '', recipient: '0208:0123456749' });
  await issued(of, 'required');
  const submission = storecove.submissions.get(begun.id)!;
  expect(submission).toMatchObject({ receiver: { scheme: 'BE:EN', id: '0123456749' }, ubl: '<Invoice/>' });
  storecove.settle(submission, 'succeeded');
  storecove.acknowledges = true;
  const delivered = await ended(of, 'delivered');
  expect(delivered).toMatchObject({ messageId: submission.messageId, submissionId: submission.guid, error: '' });
  expect(delivered.lookedUpAt).toBeInstanceOf(Date);
  expect(await deliveries(of)).toHaveLength(1);
  expect(await admin().sendInvoice(of, testCall({ operationId: randomUUID() }))).toMatchObject({ id: begun.id });
});

test('where it is only possible, a seller who is connected sends, and one who is not does not', async () => {
  const of = await shop();
  await issued(of, 'possible');
  await ended(of, 'delivered');
  const organizationId = service.billing.addOrganization();
  const lone = { organizationId, invoiceId: service.billing.addInvoice(organizationId, { seller, buyer } as never).id };
  const told = await shop();
  await issued(lone, 'possible');
  await issued(told, 'possible');
  // Events are taken in order.
  await ended(told, 'delivered');
  expect(await deliveries(lone)).toEqual([]);
});

test('without an access point the reason is kept, told, and mended by sending again', async () => {
  const receiver = await startReceiver();
  const organizationId = service.billing.addOrganization();
  const endpoint = { organizationId, url: receiver.url, events: ['peppol.failed', 'peppol.delivered'] };
  await service.channel('admin').client(WebhooksService).createEndpoint(endpoint, testCall());
  const of = { organizationId, invoiceId: service.billing.addInvoice(organizationId, { seller, buyer } as never).id };
  expect(await billing().requestDelivery(of, testCall())).toMatchObject({ status: 'failed', error: 'not_connected' });
  await connected(organizationId);
  const again = testCall({ operationId: randomUUID() });
  for (const _ of [1, 2]) await admin().sendInvoice(of, again);
  await ended(of, 'delivered');
  expect((await deliveries(of)).map(({ status }) => status)).toEqual(['delivered', 'failed']);
  await waitFor(() => receiver.received.length === 2);
  const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: object });
  expect(told.find(({ type }) => type === 'peppol.failed')).toMatchObject({
    data: { invoiceId: of.invoiceId, error: 'not_connected', recipient: null },
  });
  expect(told.find(({ type }) => type === 'peppol.delivered')).toMatchObject({
    data: { invoiceId: of.invoiceId, recipient: '0208:0123456749' },
  });
  await receiver.close();
});

test('a recipient who is not on the network: failed where the law asks, else skipped', async () => {
  storecove.unknown.add('0206731645');
  const away = { buyer: belgian('Weg', '0206731645') } as Partial<Invoice>;
  const of = await shop(away);
  expect(await billing().requestDelivery(of, testCall())).toMatchObject({
    ...{ status: 'failed', error: 'recipient_not_found', recipient: '0208:0206731645' },
    reason: 'the customer receives no invoices on the Peppol network',
  });
  const possible = await shop(away);
  await issued(possible, 'possible');
  expect(await ended(possible, 'skipped')).toMatchObject({ error: 'recipient_not_found' });
});

test('a document that makes no e-invoice, and one that the access point refuses, fail with their reason', async () => {
  const none = await shop({ hasEInvoice: false });
  expect(await billing().requestDelivery(none, testCall())).toMatchObject({ status: 'failed', error: 'no_e_invoice' });
  const refused = await shop();
  const body = [{ source: 'document', details: 'BR-16' }];
  storecove.trouble({ on: '/document_submissions', kind: 'status', status: 422, body });
  expect(await billing().requestDelivery(refused, testCall())).toMatchObject({
    ...{ status: 'failed', error: 'rejected', reason: 'document: BR-16' },
  });
});

test('an access point in trouble is asked again; a lost answer makes no second document', async () => {
  const of = await shop();
  storecove.trouble({ on: '/document_submissions', kind: 'status', status: 503 });
  expect(await billing().requestDelivery(of, testCall())).toMatchObject({
    ...{ status: 'pending', error: 'unavailable', attempts: 1 },
    reason: 'Storecove answered 503 to POST /document_submissions',
  });
  storecove.trouble({ on: '/document_submissions', kind: 'lost' });
  const { id } = await ended(of, 'delivered');
  const made = storecove.requests.filter(
    ({ path, body }) =>
      path === '/document_submissions' && (body as { idempotencyGuid?: string }).idempotencyGuid === id,
  );
  expect(made.length).toBeGreaterThanOrEqual(3);
  expect([...storecove.submissions.keys()].filter((each) => each === id)).toHaveLength(1);
}, 60_000);

test('what fails on the way is told with its reason, but only by who was handed it', async () => {
  storecove.acknowledges = false;
  const of = await shop();
  const { id } = await billing().requestDelivery(of, testCall());
  const submission = storecove.submissions.get(id)!;
  const stranger = new StorecoveImitation();
  await stranger.start();
  const other = await shop();
  await admin().connectAccessPoint(
    {
      ...{ organizationId: other.organizationId, accessPoint: 'storecove', apiKey: STORECOVE_KEY },
      ...{ senderId: `${LEGAL_ENTITY}`, baseUrl: stranger.url },
    },
    testCall(),
  );
  stranger.push({
    event_type: 'document_submission',
    event: 'failed',
    guid: 'x',
    idempotencyGuid: id,
    details: 'lies',
  });
  await billing().requestDelivery(other, testCall());
  await waitFor(() => stranger.waiting === 0);
  expect(await deliveries(of)).toMatchObject([{ status: 'submitted' }]);
  storecove.settle(submission, 'failed', 'the receiver refused it');
  expect(await ended(of, 'failed')).toMatchObject({ error: 'undelivered', reason: 'the receiver refused it' });
  storecove.acknowledges = true;
  stranger.stop();
}, 60_000);

test('the network is asked about a recipient once in a while, and when somebody wants to know', async () => {
  const { organizationId } = await shop();
  const asked = () => storecove.requests.filter(({ path }) => path === '/discovery/receives').length;
  const before = asked();
  const wanted = { organizationId, participant: '0106:12345678', refresh: false, onlyKnown: false };
  const known = () => admin().lookupRecipient({ ...wanted, onlyKnown: true }, testCall());
  expect(await known()).toEqual({ participant: '0106:12345678', receives: false });
  expect(asked()).toBe(before);
  const first = await admin().lookupRecipient(wanted, testCall());
  expect(first).toMatchObject({ participant: '0106:12345678', receives: true });
  expect(await admin().lookupRecipient(wanted, testCall())).toEqual(first);
  expect(await known()).toEqual(first);
  expect(asked()).toBe(before + 1);
  await admin().lookupRecipient({ ...wanted, refresh: true }, testCall());
  expect(asked()).toBe(before + 2);
  await expect(admin().lookupRecipient({ ...wanted, participant: 'x' }, testCall())).rejects.toMatchObject({
    kind: 'invalid',
  });
  const organization = { ...wanted, organizationId: service.billing.addOrganization() };
  await expect(admin().lookupRecipient(organization, testCall())).rejects.toMatchObject({
    code: 'access_point_missing',
  });
  const nothing = await admin().lookupRecipient({ ...organization, onlyKnown: true }, testCall());
  expect(nothing.lookedUpAt).toBeUndefined();
});

test('an account is of its organisation’s mode, its key is right, sealed, and never shown', async () => {
  const organizationId = service.billing.addOrganization();
  const storecoveOf = (changes: object) => ({
    ...{ organizationId, accessPoint: 'storecove', apiKey: STORECOVE_KEY, senderId: `${LEGAL_ENTITY}` },
    ...{ baseUrl: storecove.url, ...changes },
  });
  const connect = (changes: object) => admin().connectAccessPoint(storecoveOf(changes), testCall());
  await expect(connect({ apiKey: 'the-key-of-somebody-else' })).rejects.toMatchObject({ code: 'validation' });
  await expect(connect({ baseUrl: 'http://10.0.0.1' })).rejects.toMatchObject({ code: 'validation' });
  await expect(connect({ accessPoint: 'carrier pigeon' })).rejects.toMatchObject({ code: 'validation' });
  const sandbox = { accessPoint: 'sandbox', apiKey: undefined, senderId: undefined, baseUrl: undefined };
  await expect(connect(sandbox)).rejects.toMatchObject({ code: 'sandbox_needs_test' });
  const testOrganization = service.billing.addOrganization(0, { test: true });
  await expect(connect({ organizationId: testOrganization })).rejects.toMatchObject({ code: 'validation' });
  const account = await connect({});
  expect(JSON.stringify(account)).not.toContain(STORECOVE_KEY);
  expect(await admin().listAccessPoints({ organizationId }, testCall())).toEqual({ accounts: [account] });
  const stored = await service.collection('access_points').findOne({ _id: account.id });
  expect(JSON.stringify(stored)).not.toContain(STORECOVE_KEY);
});

test('a test organisation sends to the sandbox, which delivers, knows nobody, or fails, by the number', async () => {
  const organizationId = service.billing.addOrganization(0, { test: true });
  const before = storecove.requests.length;
  await admin().connectAccessPoint({ organizationId, accessPoint: 'sandbox' }, testCall());
  const sent = async (number: string, status: string) => {
    const changes = { test: true, seller, buyer: { ...buyer, countryCode: 'DK', kvkNumber: number, btwId: '' } };
    const of = { organizationId, invoiceId: service.billing.addInvoice(organizationId, changes as never).id };
    await issued(of, 'required');
    return ended(of, status);
  };
  const { id } = await sent('12345678', 'delivered');
  const folder = join(service.dataDir, 'peppol');
  const files = readdirSync(folder).filter((name) => name.includes(id));
  expect(files.map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual(['<Invoice/>']);
  expect(await sent('99940412', 'failed')).toMatchObject({ error: 'recipient_not_found' });
  expect(await sent('99950012', 'failed')).toMatchObject({ error: 'undelivered' });
  expect(storecove.requests).toHaveLength(before);
}, 60_000);

test('a draft is not sent', async () => {
  const of = await shop({ status: InvoiceStatus.DRAFT });
  await expect(admin().sendInvoice(of, testCall())).rejects.toMatchObject({ code: 'draft' });
});
