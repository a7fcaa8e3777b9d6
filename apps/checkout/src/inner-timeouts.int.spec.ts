import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { CheckoutStatus } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { testCall, waitFor } from '@invoicing/testing';
import { PAGE_TIMEOUT_MS, within } from './pages/page-request';
import { mollieClient } from './providers/mollie/mollie-client';
import { MOLLIE_KEY } from './testing/mollie-imitation';
import { startCheckoutRig } from './testing/checkout-rig';
import { finish, get, submit } from './testing/payer';

// Every wait of checkout for another part has an end of its own: a part that takes a question and never answers holds up nobody for ever.

const STEP_LIMIT_MS = 10_000;

/** Takes every connection, and says nothing. */
async function silentServer(): Promise<{ url: string; asked: () => string[]; close: () => void }> {
  const sockets = new Set<Socket>();
  const methods: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    socket.on('data', (chunk) => methods.push(chunk.toString().split(' ')[0]!));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked: () => methods,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a provider that never answers: reading and paying end by themselves', async () => {
  const silent = await silentServer();
  const client = mollieClient(MOLLIE_KEY, silent.url);
  // Without limits these would wait for minutes, and the test would be too late.
  await Promise.all([
    expect(client.getPayment('tr_1')).rejects.toThrow(),
    expect(
      client.createPayment({
        paymentRequest: {
          amount: { currency: 'EUR', value: '1.00' },
          description: 'Workshop',
          redirectUrl: 'https://shop.example/',
          method: 'ideal',
        },
      }),
    ).rejects.toThrow(),
  ]);
  // Both were asked.
  expect(silent.asked()).toEqual(expect.arrayContaining(['GET', 'POST']));
  silent.close();
});

test('a page goes on without what takes too long', async () => {
  jest.useFakeTimers();
  try {
    const answered = within<string | null>(PAGE_TIMEOUT_MS, new Promise(() => undefined), null);
    let answer: unknown = 'none yet';
    void answered.then((value) => (answer = value));
    await jest.advanceTimersByTimeAsync(PAGE_TIMEOUT_MS - 1);
    expect(answer).toBe('none yet');
    await jest.advanceTimersByTimeAsync(1);
    expect(answer).toBeNull();
  } finally {
    jest.useRealTimers();
  }
});

test('no call to billing may take longer than a page waits, or than a step after a payment', async () => {
  const rig = await startCheckoutRig();
  const waits: (readonly [method: string, leftMs: number])[] = [];
  const organizationId = await rig.organization();
  const made = await rig.create(organizationId);
  rig.billing.interfere = (when, method, { deadline }) => {
    if (when === 'before') waits.push([method, deadline - Date.now()]);
  };
  await get(`${rig.url}/c/i/${'t'.repeat(32)}`);
  expect(waits.length).toBeGreaterThan(0);
  for (const [method, leftMs] of waits) expect([method, leftMs <= PAGE_TIMEOUT_MS]).toEqual([method, true]);
  await finish(await submit(made.url), 'paid');
  await waitFor(async () => {
    const { status } = await rig.checkouts.getCheckout({ organizationId, checkoutId: made.id }, testCall());
    return status === CheckoutStatus.PAID && rig.billing.mailed.length > 0 && rig.billing.paidEvents.length > 0;
  }, 20_000);
  expect(waits.map(([method]) => method)).toEqual(expect.arrayContaining(['createInvoice', 'recordPayment']));
  for (const [method, leftMs] of waits) expect([method, leftMs <= STEP_LIMIT_MS]).toEqual([method, true]);
  await rig.close();
});
