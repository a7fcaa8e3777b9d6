import { type Route } from '../routes/route';

/** How the SDK calls an operation; what is not here is not in the SDK. `body` stands for the request's. */
const SDK_CALLS: Readonly<Record<string, string>> = {
  getMe: 'me()',
  getHealth: 'health()',
  listCustomers: 'customers.list()',
  createCustomer: 'customers.create(body)',
  listProducts: 'products.list()',
  createProduct: 'products.create(body)',
  listInvoices: 'invoices.list()',
  createInvoice: 'invoices.create(body)',
  listSubscriptions: 'subscriptions.list()',
  createSubscription: 'subscriptions.create(body)',
  listCheckouts: 'checkouts.list()',
  createCheckout: 'checkouts.create(body)',
  getClock: 'clock.get()',
  moveClock: 'clock.move(body)',
  createTestEvent: 'testEvents.create(body)',
  grantCredits: 'credits.create(body)',
};

/**
 * The operation in curl and by the SDK, as people paste them into a terminal and a module where INVOICING_BASE_URL and INVOICING_API_KEY are
 * set (`admin quickstart` prints them). apps/e2e runs each of them.
 */
export function codeSamples({ operationId, method, path }: Route, isOpen: boolean, body?: unknown) {
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2);
  const call = SDK_CALLS[operationId];
  return [
    { lang: 'Shell', label: 'curl', source: curl(`${method} ${path}`, isOpen, json) },
    ...(call ? [{ lang: 'TypeScript', label: '@invoicing/sdk', source: typescript(call, json) }] : []),
  ];
}

function curl(operation: string, isOpen: boolean, json: string | undefined): string {
  const path = operation.split(' ')[1]!;
  const lines = [
    `curl -s "$INVOICING_BASE_URL${path}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $INVOICING_API_KEY"']),
    // An apostrophe ends a quoted text of the shell.
    ...(json ? ["-H 'Content-Type: application/json'", `-d '${json.replaceAll("'", String.raw`'\''`)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}

function typescript(call: string, json: string | undefined): string {
  const body = json?.replaceAll(/"(\w+)":/g, '$1:') ?? '';
  return [
    "import { InvoicingClient } from '@invoicing/sdk';",
    '',
    'const invoicing = new InvoicingClient();',
    `console.log(await invoicing.${call.replace('body', () => body)});`,
  ].join('\n');
}
