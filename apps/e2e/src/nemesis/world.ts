import { AccountsService } from '@invoicing/contracts/invoicing/billing/v1/account';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import {
  Mode,
  OrganizationsService,
  Plan,
  UpdateOrganizationRequest,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { CustomersService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { ProvidersService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { KeysService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { WebhooksService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { PeppolService } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { eventTypes } from '@invoicing/rules';
import { untilAnswered } from './client';
import type { Cluster } from './cluster';

/** An issued invoice that clients may do something with. */
export interface KnownInvoice {
  readonly id: string;
  readonly customerId: string;
  readonly publicToken: string;
}

/** The organisation that the traffic is about, and what is there by now. */
export interface World {
  readonly organizationId: string;
  readonly key: string;
  readonly platformKey: string;
  readonly customers: string[];
  readonly drafts: string[];
  readonly invoices: KnownInvoice[];
  readonly payments: { readonly entryId: string; readonly invoiceId: string }[];
  readonly clients: ReturnType<typeof clientsOf>;
}

const clientsOf = (cluster: Cluster) => ({
  accounts: cluster.channel('billing').client(AccountsService),
  invoices: cluster.channel('billing').client(InvoicesService),
  organizations: cluster.channel('billing').client(OrganizationsService),
  customers: cluster.channel('catalog').client(CustomersService),
  providers: cluster.channel('checkout').client(ProvidersService),
  keys: cluster.channel('gateway').client(KeysService),
  webhooks: cluster.channel('notification').client(WebhooksService),
  peppol: cluster.channel('notification').client(PeppolService),
});

/** Makes an organisation with a key, the sandbox provider, the sandbox access point and one webhook endpoint for `events`. */
export async function createWorld(
  cluster: Cluster,
  webhookUrl: string,
  events: readonly string[] = eventTypes,
): Promise<World> {
  const clients = clientsOf(cluster);
  const details = {
    ...{ name: 'Bakkerij De Zon', addressLine1: 'Markt 1', postalCode: '2611 GP', city: 'Delft', countryCode: 'NL' },
    ...{ iban: 'NL91ABNA0417164300', btwId: 'NL853746333B01', kvkNumber: '12345678' },
  };
  const organization = { details, plan: Plan.UNSPECIFIED, mode: Mode.TEST };
  // Parts that have just started may not know each other yet.
  const { id: organizationId } = await untilAnswered((context) =>
    clients.organizations.createOrganization(organization, context),
  );
  // Half an hour of traffic is more than one organisation may usually send in a day.
  const limits = { mailQuotaPerDay: 1_000_000 };
  const raised = UpdateOrganizationRequest.fromPartial({ organizationId, limits });
  await untilAnswered((context) => clients.organizations.updateOrganization(raised, context));
  const keyOf = async (platform: boolean): Promise<string> => {
    const request = platform
      ? { organizationId: '', scopes: [], platform, expiresAt: undefined }
      : { organizationId, scopes: ['all'], platform, expiresAt: undefined };
    return (await untilAnswered((context) => clients.keys.createKey(request, context))).secret;
  };
  const endpoint = { organizationId, url: webhookUrl, events: [...events] };
  await untilAnswered((context) => clients.providers.connectProvider({ organizationId, provider: 'sandbox' }, context));
  await untilAnswered((context) => clients.webhooks.createEndpoint(endpoint, context));
  const account = { organizationId, accessPoint: 'sandbox' };
  await untilAnswered((context) => clients.peppol.connectAccessPoint(account, context));
  const [key, platformKey] = [await keyOf(false), await keyOf(true)];
  return { organizationId, key, platformKey, clients, customers: [], drafts: [], invoices: [], payments: [] };
}
