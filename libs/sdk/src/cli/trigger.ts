import type { InvoicingClient } from '../invoicing-client';

type Trigger = (client: InvoicingClient) => Promise<string>;

const LINE = { description: 'Triggered', quantity: 1, unitPriceCents: 10_000 };
const PAYER = { name: 'Test Payer', email: 'payer@example.nl' };
const GONE_ON_MS = 10_000;
const LOOK_MS = 250;

const customer = async (client: InvoicingClient): Promise<string> => (await client.customers.create(PAYER)).id;
const title = (): string => `Triggered ${new Date().toISOString()}`;

const issued: Trigger = async (client) => {
  const { number } = await client.invoices.create({ customerId: await customer(client), lines: [LINE], send: true });
  return `invoice ${number}`;
};

/** Answers the address of the sandbox's bank, where what becomes of the payment can be changed. */
async function paid(client: InvoicingClient): Promise<string> {
  const { url } = await client.checkouts.create({ title: title(), lines: [LINE] });
  const bank = await submit(url, { type: 'person', method: 'ideal', countryCode: 'NL', ...PAYER });
  await submit(bank, { outcome: 'paid' });
  return bank;
}

/** Money can go back once the payment stands on its invoice. */
const afterwards =
  (outcome: 'refund' | 'chargeback'): Trigger =>
  async (client) => {
    const paidOnes = async () => (await client.invoices.list()).filter(({ status }) => status === 'paid').length;
    const before = await paidOnes();
    const bank = await paid(client);
    for (let waited = 0; waited < GONE_ON_MS && (await paidOnes()) === before; waited += LOOK_MS)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    await submit(bank, { outcome });
    return `${outcome} at ${bank}`;
  };

const moved = async (client: InvoicingClient, by: string): Promise<string> =>
  `the clock of the organisation now shows ${(await client.clock.move({ by })).now}`;

/** What makes each event happen, as it happens in life. */
export const triggers: Readonly<Record<string, Trigger>> = {
  'invoice.issued': issued,
  'invoice.paid': paid,
  'invoice.overdue': async (client) => `${await issued(client)}; ${await moved(client, 'P16D')}`,
  'payment.recorded': paid,
  'payment.refunded': afterwards('refund'),
  'payment.charged_back': afterwards('chargeback'),
  'checkout.paid': paid,
  'checkout.expired': async (client) => {
    await client.checkouts.create({ title: title(), lines: [LINE], expiresInHours: 1 });
    return moved(client, 'PT2H');
  },
  'subscription.invoiced': async (client) => {
    const terms = { freq: 'yearly' as const, lines: [LINE], autoSendEmail: true };
    const { id } = await client.subscriptions.create({ customerId: await customer(client), ...terms });
    return `subscription ${id}; its first invoice follows within seconds`;
  },
};

async function submit(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  await response.body?.cancel();
  const location = response.headers.get('location');
  if (response.status !== 303 || !location)
    throw new Error(`${url} answered ${response.status}: is the sandbox provider connected?`);
  return new URL(location, url).href;
}
