import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { Role } from '@invoicing/contracts/invoicing/application/v1/users';
import type { Customer, Product } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { Frequency } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import type { Checkout } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { demoCustomers, demoProducts, demoSeller } from '../demo-data';
import { payCheckout } from '../pay-checkout';
import { operatorCall, type Services } from '../platform';
import { verb } from '../verb';

const INVOICES = 40;
const DAY_MS = 86_400_000;
// The newest ones are still to be paid, and one of them is overdue.
const UNPAID = 6;

const AS_IF = '# as if it were that day: really issues what is due until then, for every organisation';

const create = () => ({ ...operatorCall(60_000), operationId: randomUUID() });
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `demo`: an organisation with a year of data, a key, a provider and a webhook; answers the links and what to try next. */
export function addDemo(program: Command): void {
  verb(program, 'demo', 'an organisation with a year of data; prints what to try next', async (services) => {
    const { id: organizationId } = await services.organizations.createOrganization(
      { details: demoSeller, plan: Plan.STANDARD, mode: Mode.TEST },
      create(),
    );
    const { secret: key } = await services.keys.createKey(
      { organizationId, profileId: undefined, scopes: ['all'], expiresAt: undefined, platform: false },
      create(),
    );
    await services.providers.connectProvider(
      { organizationId, provider: 'sandbox', apiKey: undefined, baseUrl: undefined },
      create(),
    );
    const receiver = `${services.gatewayUrl}/dev/webhooks/${organizationId}`;
    const { endpoint, secret } = await services.webhooks.createEndpoint(
      { organizationId, url: receiver, events: ['invoice.paid'] },
      create(),
    );

    const customers: Customer[] = [];
    for (const details of demoCustomers)
      customers.push(await services.customers.createCustomer({ organizationId, details }, create()));
    const products: Product[] = [];
    for (const details of demoProducts)
      products.push(await services.products.createProduct({ organizationId, details }, create()));

    const invoiceToken = await makeInvoices(services, organizationId, customers, products);
    await makeSubscriptions(services, organizationId, customers, products);
    const open = await makeCheckout(services, organizationId, products[3]!);
    const paid = await makeCheckout(services, organizationId, products[4]!);
    await payCheckout(paid.url, { name: 'Sanne de Wit', email: 'sanne@example.nl' });

    const email = `owner@${organizationId.slice(0, 8)}.example`;
    const { signInUrl } = await services.users.inviteUser({ organizationId, email, role: Role.OWNER }, create());

    const url = services.gatewayUrl;
    return {
      organization: organizationId,
      key,
      webhook: { id: endpoint!.id, secret },
      user: email,
      links: {
        application: signInUrl,
        reference: `${url}/docs`,
        mailbox: `${url}/dev/mail`,
        webhooks: receiver,
        invoice: `${url}/p/${invoiceToken}`,
        openCheckout: open.url,
      },
      next: [
        `open ${signInUrl} (works once) and look around as ${email}`,
        `open ${open.url} and pay; watch ${receiver}`,
        `curl -s -H "Authorization: Bearer ${key}" ${url}/api/v1/invoices`,
        `npm run --silent admin -- numbers verify --org ${organizationId}`,
        `npm run --silent admin -- webhook deliveries --org ${organizationId}`,
        `npm run --silent admin -- subscriptions run --as-of ${dateOf(Date.now() + 62 * DAY_MS)}  ${AS_IF}`,
      ],
    };
  });
}

/** Forty invoices over the past year, oldest first as they were issued; answers the public token of the newest. */
async function makeInvoices(
  services: Services,
  organizationId: string,
  customers: Customer[],
  products: Product[],
): Promise<string> {
  let publicToken = '';
  for (let index = 0; index < INVOICES; index++) {
    const customer = customers[index % customers.length]!;
    const issuedAt = Date.now() - Math.round(((INVOICES - 1 - index) * 365) / INVOICES) * DAY_MS;
    const made = await services.invoices.createInvoice(
      {
        organizationId,
        customerId: customer.id,
        lines: [0, 1, 2].slice(0, 1 + (index % 3)).map((offset) => ({
          description: undefined,
          quantity: String(1 + ((index * 7 + offset * 3) % 12)),
          unitPriceCents: undefined,
          vatTreatment: customer.details!.countryCode === 'NL' ? VatTreatment.UNSPECIFIED : VatTreatment.REVERSE_CHARGE,
          productId: products[(index + offset) % products.length]!.id,
        })),
        issueDate: dateOf(issuedAt),
        dueDate: undefined,
        send: true,
        profileId: undefined,
        post: false,
        checkoutId: undefined,
        requireEInvoice: false,
      },
      create(),
    );
    publicToken = made.publicToken;
    if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${INVOICES} invoices`);
    if (index >= INVOICES - UNPAID) continue;
    const { totals } = await services.invoices.getInvoice({ organizationId, invoiceId: made.id }, operatorCall());
    const payment = {
      provider: 'bank',
      method: 'banktransfer',
      id: randomUUID(),
      paidAt: new Date(issuedAt + 9 * DAY_MS),
      amountCents: totals!.inclCents,
    };
    await services.invoices.recordPayment(
      { organizationId, invoiceId: made.id, payment, checkoutId: undefined },
      operatorCall(),
    );
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  return publicToken;
}

async function makeSubscriptions(
  services: Services,
  organizationId: string,
  customers: Customer[],
  products: Product[],
): Promise<void> {
  const schedules = [
    { freq: Frequency.WEEKLY, customer: customers[0]!, product: products[0]! },
    { freq: Frequency.MONTHLY, customer: customers[1]!, product: products[1]! },
    { freq: Frequency.YEARLY, customer: customers[2]!, product: products[2]! },
  ];
  for (const { freq, customer, product } of schedules) {
    await services.subscriptions.createSubscription(
      {
        organizationId,
        customerId: customer.id,
        freq,
        interval: undefined,
        autoSendEmail: true,
        autoSendPost: false,
        lines: [
          {
            description: undefined,
            quantity: '10',
            unitPriceCents: undefined,
            vatTreatment: VatTreatment.UNSPECIFIED,
            productId: product.id,
          },
        ],
        startDate: dateOf(Date.now() + DAY_MS),
        profileId: undefined,
      },
      create(),
    );
  }
}

const makeCheckout = (services: Services, organizationId: string, product: Product): Promise<Checkout> =>
  services.checkouts.createCheckout(
    {
      organizationId,
      title: product.details!.name,
      lines: [
        {
          description: undefined,
          quantity: undefined,
          unitPriceCents: undefined,
          vatTreatment: VatTreatment.UNSPECIFIED,
          productId: product.id,
        },
      ],
      customer: undefined,
      redirectUrl: undefined,
      methods: [],
      expiresInHours: undefined,
      profileId: undefined,
    },
    create(),
  );
