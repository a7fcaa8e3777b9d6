import { randomUUID } from 'node:crypto';
import { MovementKind } from '@invoicing/contracts/invoicing/billing/v1/account';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import type { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { connectEvents, consumeEvents } from '@invoicing/events';
import { startTestNats, testCall, waitFor, type TestNats } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from './testing/billing-harness';

let nats: TestNats;
let harness: BillingHarness;

beforeAll(async () => {
  nats = await startTestNats();
  harness = await startBillingHarness({ natsUrl: nats.url });
});
afterAll(async () => {
  await harness?.close();
  await nats?.close();
});

test('an issue and a payment are told once, and then the documents carry nothing more', async () => {
  const events = new Map<string, Event>();
  const connection = await connectEvents({ url: nats.url, name: 'spec' });
  const consumer = consumeEvents({
    connection,
    durable: 'spec',
    handle: async (event) => void events.set(event.id, event),
    onError: fail,
  });
  const admin = harness.as('admin');
  const { id: organizationId } = await admin.organizations.createOrganization(
    { details: { name: 'Zon' }, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED },
    testCall(),
  );
  const lines = [{ unitPriceCents: 10_000, vatTreatment: VatTreatment.UNSPECIFIED }];
  const create = (email: string | undefined, post: boolean) => {
    const customerId = harness.peers.addCustomer(organizationId, { email });
    const request = { organizationId, customerId, lines, send: true, post, requireEInvoice: false };
    return admin.invoices.createInvoice(request, testCall({ operationId: randomUUID() }));
  };
  const mailed = await create('klant@example.com', false);
  const posted = await create(undefined, true);
  const checkoutId = randomUUID();
  const payment = { provider: 'sandbox', method: 'ideal', id: 'tr_1', paidAt: new Date(), amountCents: 12_100 };
  const pay = { organizationId, invoiceId: mailed.id, payment, checkoutId };
  await admin.invoices.recordPayment(pay, testCall());
  await admin.invoices.recordPayment(pay, testCall());

  await waitFor(() => events.size === 4);
  const inOrder = (): Event[] => [...events.values()].sort((a, b) => (a.occurredAt! < b.occurredAt! ? -1 : 1));
  expect(inOrder().filter(({ type }) => type !== 'payment.recorded')).toMatchObject([
    { type: 'invoice.issued', source: 'billing', invoiceIssued: { invoiceId: mailed.id, email: true, post: false } },
    { type: 'invoice.issued', invoiceIssued: { invoiceId: posted.id, email: false, post: true } },
    {
      type: 'invoice.paid',
      organizationId,
      invoicePaid: {
        invoiceId: mailed.id,
        number: mailed.number,
        publicToken: mailed.publicToken,
        totalInclCents: 12_100,
        currency: 'EUR',
        checkoutId,
        provider: 'sandbox',
        method: 'ideal',
        paymentId: 'tr_1',
        amountCents: 12_100,
      },
    },
  ]);

  const db = (await harness.store.connect()).getClient().db('billing');
  const carriers = async () =>
    (
      await Promise.all(
        ['invoices', 'account_entries'].map((name) =>
          db.collection(name).countDocuments({ 'outbox.0': { $exists: true } }),
        ),
      )
    ).reduce((sum, count) => sum + count, 0);
  await waitFor(async () => (await carriers()) === 0);
  // The seal does not cover what the relay did.
  const { series } = await admin.invoices.verifyNumbers({ organizationId }, testCall());
  expect(series).toMatchObject([{ count: 2, gapless: true, chainValid: true }]);

  // What happens to the money afterwards: a chargeback, the payment by bank instead, its refund with the credit note.
  const moved = { organizationId, invoiceId: mailed.id, amountCents: 12_100, reason: '' };
  const chargeback = {
    ...moved,
    kind: MovementKind.CHARGEBACK,
    provider: 'sandbox',
    paymentId: 'tr_1',
    providerId: 'chb_1',
  };
  const checkout = harness.as('checkout').accounts;
  await checkout.recordMovement({ ...chargeback, at: new Date(), undone: false }, testCall());
  const bank = { provider: 'bank', method: '', providerId: '', paidAt: undefined, reference: '', note: '' };
  await admin.accounts.recordPayment({ ...moved, ...bank }, testCall());
  const back = { through: 'bank', reason: 'retour', keepOpen: false, surplusOnly: false, reference: '' };
  await admin.accounts.refundPayment({ ...moved, ...back }, testCall());
  await waitFor(() => events.size === 9);
  const told = inOrder().filter(({ source, type }) => source === 'billing' && /^payment|credited/.test(type));
  const sums = { invoiceId: mailed.id, number: mailed.number, amountCents: 12_100 };
  expect(told).toMatchObject([
    {
      type: 'payment.recorded',
      paymentRecorded: { moved: { ...sums, openCents: 0, provider: 'sandbox', paymentId: 'tr_1' } },
    },
    {
      type: 'payment.charged_back',
      paymentChargedBack: { moved: { ...sums, openCents: 12_100, providerId: 'chb_1' } },
    },
    { type: 'payment.recorded', paymentRecorded: { moved: { ...sums, openCents: 0, provider: 'bank' } } },
    {
      type: 'payment.refunded',
      paymentRefunded: { moved: { ...sums, openCents: 12_100, provider: 'bank' }, reason: 'retour' },
    },
    { type: 'invoice.credited', invoiceCredited: { invoiceId: mailed.id, number: mailed.number, amountCents: 12_100 } },
  ]);
  // A second payment that settles it is no second `invoice.paid`.
  expect(inOrder().filter(({ type }) => type === 'invoice.paid')).toHaveLength(1);
  await consumer.close();
  await connection.close();
});

function fail(error: unknown): never {
  throw error;
}
