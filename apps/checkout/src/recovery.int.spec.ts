import { connectEvents, consumeEvents } from '@invoicing/events';
import { AppError } from '@invoicing/errors';
import { createLogger } from '@invoicing/telemetry';
import { waitFor } from '@invoicing/testing';
import { startCheckout } from './service';
import { startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { post, submit } from './testing/payer';

/** Two replicas, peers that lose requests and answers and stop, a service that restarts: everything is still done once. */
const PAYMENTS = 30 * Number(process.env['SEEDS'] ?? 1);

let rig: CheckoutRig;
beforeAll(async () => {
  rig = await startCheckoutRig();
});
afterAll(() => rig?.close());

const lossy = (): void => {
  if (Math.random() < 0.25) throw new AppError('unavailable', 'unavailable', 'lost');
};

test('every payment makes one invoice, one e-mail and one event', async () => {
  const replica = await startCheckout({ ...rig.config, port: 0, httpPort: 0 }, createLogger('checkout', 'silent'));
  const connection = await connectEvents({ url: rig.nats.url, name: 'test' });
  const events: string[] = [];
  const consumer = consumeEvents({
    connection,
    durable: 'test',
    handle: async (event) => void events.push(event.id),
    onError: (error) => {
      throw error;
    },
  });
  const organizationId = await rig.organization();
  const payPages: string[] = [];
  for (let count = 0; count < PAYMENTS; count++) {
    const details = { type: 'person', name: `Payer ${count}`, email: `payer${count}@example.com` };
    payPages.push(await submit((await rig.create(organizationId)).url, 'ideal', details));
  }

  rig.billing.interfere = rig.catalog.interfere = lossy;
  for (const [index, payPage] of payPages.entries()) {
    await post(payPage, { outcome: 'paid' });
    if (index === 10) {
      const port = Number(rig.config.billingAddress.split(':')[1]);
      await rig.billing.stop();
      await rig.billing.start(port);
    }
    if (index === 20) await rig.restart();
  }
  rig.billing.interfere = rig.catalog.interfere = () => undefined;

  await waitFor(() => rig.billing.paidEvents.length === PAYMENTS, 20_000);
  await waitFor(() => new Set(events).size === PAYMENTS, 10_000);
  expect(rig.billing.invoices.size).toBe(PAYMENTS);
  expect(new Set(rig.billing.mailed).size).toBe(rig.billing.mailed.length);
  expect(rig.billing.mailed).toHaveLength(PAYMENTS);
  const totals = new Set([...rig.billing.invoices.values()].map(({ totals }) => totals?.inclCents));
  expect(totals).toEqual(new Set([12_100]));

  await consumer.close();
  await connection.close();
  await replica.close();
}, 60_000);
