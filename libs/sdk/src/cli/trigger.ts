import type { InvoicingClient } from '../invoicing-client';
import type { CustomerInput, InvoiceCreated, TestEventInput } from '../models';

type Trigger = (client: InvoicingClient) => Promise<string>;

const LINE = { description: 'Triggered', quantity: 1, unitPriceCents: 10_000 };
const PAYER = { name: 'Test Payer', email: 'payer@example.nl' };
const BUSINESS = {
  ...PAYER,
  ...{ companyName: 'Test Payer B.V.', kvkNumber: '12345678' },
  ...{ addressLine1: 'Dam 1', postalCode: '1012 JS', city: 'Amsterdam', countryCode: 'NL' },
};
const GONE_ON_MS = 10_000;
const LOOK_MS = 250;
const BEYOND_DUE = 'P16D';

const customer = async (client: InvoicingClient, as: CustomerInput = PAYER): Promise<string> =>
  (await client.customers.create(as)).id;
const title = (): string => `Triggered ${new Date().toISOString()}`;

const invoice = async (client: InvoicingClient, to?: CustomerInput): Promise<InvoiceCreated> =>
  client.invoices.create({ customerId: await customer(client, to), lines: [LINE], send: true });
const issued: Trigger = async (client) => `invoice ${(await invoice(client)).number}`;

/** What no request of an organisation does happens by the sandbox. */
async function caused(
  client: InvoicingClient,
  type: TestEventInput['type'],
  { id, number }: Pick<InvoiceCreated, 'id' | 'number'>,
): Promise<string> {
  await client.testEvents.create({ type, invoiceId: id });
  return `invoice ${number}`;
}

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
  'invoice.overdue': async (client) => `${await issued(client)}; ${await moved(client, BEYOND_DUE)}`,
  'invoice.reminded': async (client) => {
    const overdue = await invoice(client);
    const clock = await moved(client, BEYOND_DUE);
    return `${await caused(client, 'invoice.reminded', overdue)}; ${clock}`;
  },
  'invoice.credited': async (client) => caused(client, 'invoice.credited', await invoice(client)),
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
  'mail.failed': async (client) => caused(client, 'mail.failed', await invoice(client)),
  'peppol.delivered': async (client) => caused(client, 'peppol.delivered', await invoice(client, BUSINESS)),
  'peppol.failed': async (client) => caused(client, 'peppol.failed', await invoice(client, BUSINESS)),
};

async function submit(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  await response.body?.cancel();
  const location = response.headers.get('location');
  if (response.status !== 303 || !location)
    throw new Error(`${url} answered ${response.status}: is the sandbox provider connected?`);
  return new URL(location, url).href;
}
