import { seriesKeys } from '../numbering/series-keys';
import { randomBytes, randomUUID } from 'node:crypto';
import { openHistory, type Connection } from '@invoicing/mongo';
import { mongoDrafts, openDrafts } from '../invoices/draft-store';
import { mongoInvoices, mongoSeriesStores, openInvoices } from '../invoices/invoice-store';
import { dryRunLinks } from '../documents/dry-run-link';
import { mongoSealedSheets } from '../documents/sheet/sealed-sheet-store';
import { mongoLogos, mongoOrganizations, openOrganizations } from '../organizations/organization-store';
import { mongoAccounts, openEntries } from '../account/account-store';
import { mongoSubscriptions, mongoWaitingInvoices, openSubscriptions } from '../subscriptions/subscription-store';
import { EMPTY_DETAILS, type Organization } from '../organizations/organization';
import type { Product } from '../invoices/price-lines';
import { numberingByOrganization } from '../numbering/number-series';
import type { Ports } from '../billing-ports';
import type { Customer, Drafts, OrganizationChange, Organizations } from '../invoices/invoice-ports';
import { periodInvoices } from '../subscriptions/invoice-period';
import type { SubscriptionPorts, SubscriptionStore } from '../subscriptions/subscription-ports';

/** What the catalog knows in a test, and what time it is. */
export interface TestWorld {
  readonly customers: Map<string, Customer>;
  readonly products: Map<string, Product>;
  now: Date;
  /** Of periods that were not invoiced. */
  readonly errors: unknown[];
}

export const newWorld = (now: string): TestWorld => ({
  customers: new Map(),
  products: new Map(),
  now: new Date(now),
  errors: [],
});

/** Organisations of a store, with a history of their own. */
export async function testOrganizations(connection: Connection): Promise<Organizations> {
  const organizations = await openOrganizations(connection);
  return mongoOrganizations(organizations, await openHistory(connection, [organizations]));
}

/** Drafts of a store, with a history of their own. */
export async function testDrafts(connection: Connection): Promise<Drafts> {
  const drafts = await openDrafts(connection);
  return mongoDrafts(drafts, await openHistory(connection, [drafts]));
}

async function testSubscriptions(connection: Connection): Promise<SubscriptionStore> {
  const subscriptions = await openSubscriptions(connection);
  return mongoSubscriptions(subscriptions, await openHistory(connection, [subscriptions]), () => undefined);
}

/** The ports of one replica on a real store; the catalog and the clock are the test's. */
export async function realPorts(connection: Connection, world: TestWorld): Promise<SubscriptionPorts> {
  const invoices = await openInvoices(connection);
  const now = (): Date => world.now;
  const ports: Ports = {
    organizations: await testOrganizations(connection),
    logos: await mongoLogos(connection),
    drafts: await testDrafts(connection),
    invoices: mongoInvoices(invoices),
    accounts: mongoAccounts(await openEntries(connection), () => undefined),
    cashier: { refund: () => Promise.reject(new Error('a run gives nothing back')) },
    numbering: numberingByOrganization(mongoSeriesStores(invoices, () => undefined)),
    seriesKeys: seriesKeys(undefined),
    catalog: {
      resolve: async (_, { customerIds, productIds }) => ({
        customers: new Map([...world.customers].filter(([id]) => customerIds.includes(id))),
        products: new Map([...world.products].filter(([id]) => productIds.includes(id))),
      }),
      findCustomers: async (_, text) =>
        [...world.customers.values()].flatMap(({ id, party }) => (party.name.startsWith(text) ? [id] : [])),
    },
    mail: {
      sendInvoice: () => Promise.reject(new Error('a run sends no mail itself')),
      resendInvoice: () => Promise.reject(new Error('a run sends nothing again')),
      postInvoice: () => Promise.reject(new Error('a run posts nothing itself')),
    },
    peppol: { begin: () => Promise.reject(new Error('a run sends nothing over Peppol itself')) },
    documents: {
      renderSheet: () => Promise.reject(new Error('a run renders nothing')),
      renderEInvoice: () => {
        throw new Error('a run renders nothing');
      },
      eInvoiceViolations: () => [],
      fileName: () => '',
    },
    sealedSheets: await mongoSealedSheets(connection, now),
    dryRunLinks: dryRunLinks('secret'),
    publicUrl: 'http://127.0.0.1',
    now,
    newToken: () => randomBytes(24).toString('base64url'),
    newId: randomUUID,
    onError: (error) => world.errors.push(error),
  };
  return {
    ...ports,
    subscriptions: await testSubscriptions(connection),
    waiting: await mongoWaitingInvoices(connection),
    periodInvoices: periodInvoices(ports, (operationId) => ({ deadline: Date.now() + 10_000, operationId })),
    onRunError: (error) => world.errors.push(error),
  };
}

export async function addOrganization(
  { organizations }: Pick<SubscriptionPorts, 'organizations'>,
  details: Partial<Organization['details']> = {},
): Promise<Organization> {
  const profile = {
    id: randomUUID(),
    name: 'Standaard',
    numberFormat: '{YYYY}-{SEQ:4}',
    accentColor: '#1f4e79',
    footer: '',
    logoId: null,
  };
  const organization: Organization = {
    _id: randomUUID(),
    details: { ...EMPTY_DETAILS, name: 'Verkoper BV', ...details },
    plan: 'standard',
    billingStatus: 'active',
    mode: 'test',
    profiles: [profile],
    createdAt: new Date(),
  };
  return organizations.insert(organization, changeByHand(organization, 'organization.created'));
}

const changeByHand = ({ _id, details }: Organization, action: OrganizationChange['action']): OrganizationChange => ({
  by: { kind: 'operator', id: 'test' },
  action,
  subject: { kind: 'organization', id: _id, label: details.name },
  fields: [],
});

/** Sets fields of an organisation, whatever they were. */
export async function setOrganization(
  { organizations }: Pick<SubscriptionPorts, 'organizations'>,
  id: string,
  fields: Parameters<Organizations['change']>[2],
): Promise<void> {
  const seen = (await organizations.find(id))!;
  await organizations.change(seen, changeByHand(seen, 'organization.updated'), fields);
}

export function addCustomer({ customers }: TestWorld, name = 'Koper'): Customer {
  const { timezone: _zone, vatExemptionReason: _reason, ...party } = EMPTY_DETAILS;
  const customer = { id: randomUUID(), party: { ...party, name, companyName: '', email: 'koper@example.nl' } };
  customers.set(customer.id, customer);
  return customer;
}
