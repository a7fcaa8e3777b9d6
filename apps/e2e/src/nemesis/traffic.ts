import { WriteOffReason } from '@invoicing/contracts/invoicing/billing/v1/account';
import { seededRandom } from '@invoicing/testing';
import { callContext, type Answer } from './client';
import type { AskedLine, Operation, OperationKind } from './history';
import { newId, oneOf, type Traffic } from './one-client';
import { payCheckout, payOnline } from './payers';
import type { KnownInvoice } from './world';

// Of a hundred: how often a client does what.
const SHARES: readonly (readonly [number, (traffic: Traffic) => Promise<unknown>])[] = [
  [8, createCustomer],
  [4, createProduct],
  [10, createDraft],
  [16, createInvoice],
  [8, issueDraft],
  [6, creditInvoice],
  [12, recordPayment],
  [6, refund],
  [3, reverse],
  [3, writeOff],
  [3, createSubscription],
  [3, grantCredits],
  [8, checkout],
  [4, payOnline],
  [3, rename],
  [3, look],
];
/** What a client can do, in an order in which each finds something to do it with. */
export const EVERY_KIND = SHARES.map(([, step]) => step);
const TOTAL = SHARES.reduce((sum, [share]) => sum + share, 0);

/** Clients that each do one thing after the other until it is time. */
export function runTraffic(
  clients: number,
  seed: number,
  until: number,
  of: Omit<Traffic, 'random'>,
): Promise<unknown> {
  return Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const traffic = { ...of, random: seededRandom(seed * 1_000 + index) };
      // Everything else stands on a customer.
      while (of.world.customers.length === 0 && of.recorder.now() < until) await createCustomer(traffic);
      while (of.recorder.now() < until) await (choose(traffic.random)(traffic) ?? pause());
    }),
  );
}

function choose(random: () => number): (traffic: Traffic) => Promise<unknown> | undefined {
  let left = random() * TOTAL;
  return SHARES.find(([share]) => (left -= share) < 0)![1];
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
/** The operation's id on the wire. */
const uuidOf = (id: string): string => id.slice(3);

function linesOf(random: () => number): AskedLine[] {
  const quantities = [1, 2, 0.5, 1.15, 3.333333];
  const treatments = ['standard_21', 'reduced_9', 'zero'] as const;
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    quantity: oneOf(random, quantities)!,
    unitPriceCents: 1 + Math.floor(random() * 50_000),
    vatTreatment: oneOf(random, treatments)!,
  }));
}

/** A POST with the operation as its Idempotency-Key. One client in five gives up at the first unclear answer. */
async function post(
  { url, world, recorder, random }: Traffic,
  kind: OperationKind,
  path: string,
  bodyOf: (id: string) => object,
  wanted: Partial<Operation> = {},
  key = world.key,
): Promise<Operation> {
  const id = newId();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': id };
  const request = { method: 'POST', headers, body: JSON.stringify(bodyOf(id)) };
  const [patience, replays] = [random() < 0.2 ? 1 : Infinity, random() < 0.3 ? 1 : 0];
  const madeOf = (text: string): string => (JSON.parse(text) as { data: { id: string } }).data.id;
  return recorder.run({ ...wanted, id, kind }, () => recorder.http(url + path, request, isCreated), {
    patience,
    replays,
    madeOf,
  });
}

const isCreated = (response: Response): boolean => response.status === 200 || response.status === 201;

export async function createCustomer(traffic: Traffic): Promise<void> {
  // One in four is a business that the Peppol network finds.
  const business = traffic.random() < 0.25 && {
    // Its company's name is written and read as a register, which begins empty.
    ...{ kvkNumber: '87654321', btwId: 'NL003456789B72' },
    ...{ addressLine1: 'Kade 2', postalCode: '2611 GP', city: 'Delft' },
  };
  const person = { name: 'Kees', countryCode: 'NL' };
  const body = (id: string) => ({ ...person, ...business, email: `${id}@example.nl`, externalId: id });
  const { made } = await post(traffic, 'customer', '/api/v1/customers', body);
  if (made) traffic.world.customers.push(made);
}

async function createProduct(traffic: Traffic): Promise<void> {
  await post(traffic, 'product', '/api/v1/products', (id) => ({
    name: 'Brood',
    unitPriceCents: 295,
    vatRateBps: 900,
    sku: id,
  }));
}

const customerOf = ({ world, random }: Traffic): string => oneOf(random, world.customers)!;

async function createDraft(traffic: Traffic): Promise<void> {
  const asked = { customerId: customerOf(traffic), lines: linesOf(traffic.random) };
  const { made } = await post(traffic, 'draft', '/api/v1/invoices', (id) => ({ ...asked, reference: id }), asked);
  if (made) traffic.world.drafts.push(made);
}

export async function createInvoice(traffic: Traffic): Promise<void> {
  const asked = { customerId: customerOf(traffic), lines: linesOf(traffic.random) };
  const body = (id: string) => ({ ...asked, reference: id, send: true });
  const operation = await post(traffic, 'invoice', '/api/v1/invoices', body, { lines: asked.lines });
  if (operation.made) keep(traffic, asked.customerId, (JSON.parse(operation.answer) as { data: Issued }).data);
}

interface Issued {
  readonly id: string;
  readonly public_token?: string;
  readonly publicToken?: string;
}

function keep({ world }: Traffic, customerId: string, { id, public_token: token, publicToken }: Issued): void {
  world.invoices.push({ id, customerId, publicToken: token ?? publicToken ?? '' });
}

/** A call with the operation's id, sent again under the same one until it is answered. */
function call<T>(
  { recorder, random }: Traffic,
  wanted: Pick<Operation, 'kind'> & Partial<Operation>,
  ask: (id: string, context: ReturnType<typeof callContext>) => Promise<T>,
): Promise<Operation> {
  const id = newId();
  const send = (): Promise<Answer> => recorder.call(uuidOf(id), (context) => ask(id, context));
  const madeOf = (text: string): string => {
    const { id: document = '', entries = [] } = JSON.parse(text) as { id?: string; entries?: { id: string }[] };
    return entries[0]?.id ?? document;
  };
  return recorder.run({ ...wanted, id }, send, { patience: random() < 0.2 ? 1 : Infinity, madeOf });
}

const about = ({ world }: Traffic, { id }: Pick<KnownInvoice, 'id'>) => ({
  organizationId: world.organizationId,
  invoiceId: id,
});

async function issueDraft(traffic: Traffic): Promise<void> {
  const { world, random } = traffic;
  const id = oneOf(random, world.drafts);
  if (id === undefined) return;
  const done = await call(traffic, { kind: 'issue', subject: id }, (_, context) =>
    world.clients.invoices.issueInvoice({ ...about(traffic, { id }), skipEmail: random() < 0.5 }, context),
  );
  if (done.outcome === 'acknowledged') keep(traffic, '', JSON.parse(done.answer) as Issued);
}

const invoiceOf = ({ world, random }: Traffic): KnownInvoice | undefined => oneOf(random, world.invoices.slice(-40));

async function creditInvoice(traffic: Traffic): Promise<void> {
  const invoice = invoiceOf(traffic);
  if (!invoice) return;
  const amountCents = traffic.random() < 0.5 ? undefined : 1 + Math.floor(traffic.random() * 500);
  await call(traffic, { kind: 'credit', subject: invoice.id }, (id, context) =>
    traffic.world.clients.invoices.creditInvoice(
      { ...about(traffic, invoice), lines: [], reason: id, amountCents },
      context,
    ),
  );
}

async function recordPayment(traffic: Traffic): Promise<void> {
  const { world, random } = traffic;
  const invoice = invoiceOf(traffic);
  if (!invoice) return;
  const amount = 1 + Math.floor(random() * 30_000);
  const by = { provider: random() < 0.7 ? 'bank' : 'cash', method: '', providerId: '', note: '', paidAt: undefined };
  const done = await call(traffic, { kind: 'payment', subject: invoice.id, amount }, (id, context) =>
    world.clients.accounts.recordPayment(
      { ...about(traffic, invoice), amountCents: amount, ...by, reference: id },
      context,
    ),
  );
  if (done.made) world.payments.push({ entryId: done.made, invoiceId: invoice.id });
}

async function refund(traffic: Traffic): Promise<void> {
  const invoice = invoiceOf(traffic);
  if (!invoice) return;
  const { random } = traffic;
  const amountCents = random() < 0.3 ? undefined : 1 + Math.floor(random() * 2_000);
  const how = {
    through: random() < 0.5 ? '' : 'bank',
    keepOpen: random() < 0.5,
    surplusOnly: random() < 0.3,
    reference: '',
  };
  await call(traffic, { kind: 'refund', subject: invoice.id }, (id, context) =>
    traffic.world.clients.accounts.refundPayment(
      { ...about(traffic, invoice), amountCents, ...how, reason: id },
      context,
    ),
  );
}

async function reverse(traffic: Traffic): Promise<void> {
  const { world, random } = traffic;
  const payment = oneOf(random, world.payments);
  if (!payment) return;
  const { organizationId } = world;
  const request = { organizationId, entryId: payment.entryId };
  await call(traffic, { kind: 'reversal', subject: payment.entryId }, (id, context) =>
    world.clients.accounts.reverseEntry({ ...request, reason: id }, context),
  );
}

async function writeOff(traffic: Traffic): Promise<void> {
  const invoice = invoiceOf(traffic);
  if (!invoice) return;
  const how = { amountCents: 1 + Math.floor(traffic.random() * 50), reason: WriteOffReason.ROUNDING };
  await call(traffic, { kind: 'write off', subject: invoice.id }, (id, context) =>
    traffic.world.clients.accounts.writeOff({ ...about(traffic, invoice), ...how, note: id }, context),
  );
}

async function createSubscription(traffic: Traffic): Promise<void> {
  const asked = {
    customerId: customerOf(traffic),
    lines: linesOf(traffic.random),
    freq: 'monthly',
    autoSendEmail: true,
  };
  await post(traffic, 'subscription', '/api/v1/subscriptions', (id) => ({ ...asked, reference: id }));
}

async function grantCredits(traffic: Traffic): Promise<void> {
  const { world, random } = traffic;
  const credits = 1 + Math.floor(random() * 20);
  const body = (id: string) => ({ orgId: world.organizationId, credits, reason: id });
  await post(traffic, 'mail credits', '/api/v1/credits', body, { amount: credits }, world.platformKey);
}

async function checkout(traffic: Traffic): Promise<void> {
  const asked = { lines: linesOf(traffic.random) };
  const done = await post(traffic, 'checkout', '/api/v1/checkouts', (id) => ({ ...asked, title: id }), asked);
  if (done.made) await payCheckout(traffic, (JSON.parse(done.answer) as { data: { url: string } }).data.url, done.id);
}

/** Writes one of few registers, so that writes of several clients meet. */
async function rename(traffic: Traffic): Promise<void> {
  const { world, random } = traffic;
  const customerId = oneOf(random, world.customers.slice(0, 3));
  if (customerId === undefined) return;
  const { organizationId } = world;
  await call(traffic, { kind: 'rename', subject: customerId }, (id, context) =>
    world.clients.customers.updateCustomer(
      { organizationId, customerId, details: { name: '', companyName: id }, updateMask: ['company_name'] },
      context,
    ),
  );
}

async function look({ world, recorder, random }: Traffic): Promise<void> {
  const { organizationId } = world;
  const customerId = oneOf(random, world.customers.slice(0, 3));
  if (customerId !== undefined)
    await recorder.read(`name of ${customerId}`, async () => {
      const found = await world.clients.customers.getCustomer({ organizationId, customerId }, callContext());
      return [found.details?.companyName ?? ''];
    });
  const invoice = oneOf(random, world.invoices.slice(-40));
  if (invoice)
    await recorder.read(`entries of ${invoice.id}`, async () => {
      const { entries } = await world.clients.accounts.listEntries(
        { organizationId, invoiceId: invoice.id },
        callContext(),
      );
      return entries.map(({ reference }) => reference).filter((each) => each.startsWith('op-'));
    });
}
