import { Role, UsersService } from '@invoicing/contracts/invoicing/application/v1/users';
import { PostInvoiceRequest, UpdateDraftRequest } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import {
  CreateProfileRequest,
  UpdateOrganizationRequest,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { SubscriptionsService } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { ArchivedFilter, ProductsService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { MaintenanceService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { AppError } from '@invoicing/errors';
import type { CallContext } from '@invoicing/rpc';
import { eventTypes } from '@invoicing/rules';
import { untilAnswered } from '../nemesis/client';
import type { Cluster } from '../nemesis/cluster';
import { newId, type Traffic } from '../nemesis/one-client';
import { createCustomer, createInvoice, EVERY_KIND } from '../nemesis/traffic';

/** Everything that clients, payers and operators ask for, in an order in which there is something to do it with. */
export async function walkJourney(cluster: Cluster, traffic: Traffic): Promise<void> {
  for (const step of EVERY_KIND) await step(traffic);
  // Of four customers one is a business, which the Peppol network finds: this one is, and is the only one that the invoice can be for.
  const ofBusiness = { ...traffic, random: () => 0.2, world: { ...traffic.world, customers: [] } };
  await createCustomer(ofBusiness);
  await createInvoice(ofBusiness);
  await operate(cluster, traffic);
}

/** A refusal that follows from its having been done is an answer, too. */
async function ask(step: (context: CallContext) => Promise<unknown>): Promise<void> {
  try {
    await untilAnswered(step);
  } catch (error) {
    if (!(error instanceof AppError) || ['unavailable', 'unfinished', 'internal', 'busy'].includes(error.kind))
      throw error;
  }
}

async function operate(cluster: Cluster, { world }: Traffic): Promise<void> {
  const { organizationId, clients, customers, drafts } = world;
  const users = cluster.channel('application').client(UsersService);
  const subscriptions = cluster.channel('billing').client(SubscriptionsService);
  const products = cluster.channel('catalog').client(ProductsService);
  const maintenance = cluster.channel('gateway').client(MaintenanceService);
  const email = `${newId()}@example.nl`;
  const [customerId, draftId] = [customers[0]!, drafts[drafts.length - 1]!];
  const ofAll = { organizationId, limit: 1, archived: ArchivedFilter.INCLUDED };
  const listed = await untilAnswered((context) => products.listProducts(ofAll, context));
  const productId = listed.products[0]!.id;
  const { endpoints } = await untilAnswered((context) => clients.webhooks.listEndpoints({ organizationId }, context));
  const endpointId = endpoints[0]!.id;
  const renamed = UpdateOrganizationRequest.fromPartial({ organizationId, details: { name: 'Bakkerij De Maan' } });
  const second = CreateProfileRequest.fromPartial({
    organizationId,
    name: newId(),
    numberFormat: `${email.slice(3, 9)}-{YYYY}-{SEQ:4}`,
  });
  const noted = UpdateDraftRequest.fromPartial({ organizationId, invoiceId: draftId, note: 'Dank u' });
  const posted = PostInvoiceRequest.fromPartial({ organizationId, invoiceId: world.invoices.at(-1)!.id });
  const steps: ((context: CallContext) => Promise<unknown>)[] = [
    (context) => clients.organizations.updateOrganization(renamed, context),
    (context) => clients.organizations.createProfile(second, context),
    (context) => clients.invoices.updateDraft(noted, context),
    (context) => clients.invoices.postInvoice(posted, context),
    (context) => clients.customers.archiveCustomer({ organizationId, customerId, undo: false }, context),
    (context) => clients.customers.archiveCustomer({ organizationId, customerId, undo: true }, context),
    (context) => products.archiveProduct({ organizationId, productId, undo: false }, context),
    (context) => users.inviteUser({ organizationId, email, role: Role.VIEWER }, context),
    (context) => maintenance.setMaintenance({ on: false }, context),
    (context) => clients.providers.connectProvider({ organizationId, provider: 'sandbox' }, context),
    (context) => clients.webhooks.updateEndpoint({ organizationId, endpointId, events: [...eventTypes] }, context),
  ];
  for (const step of steps) await ask(step);
  const { subscriptions: found } = await untilAnswered((context) =>
    subscriptions.listSubscriptions({ organizationId, limit: 1 }, context),
  );
  const subscriptionId = found[0]!.id;
  await ask((context) => subscriptions.pauseSubscription({ organizationId, subscriptionId }, context));
  await ask((context) => subscriptions.endSubscription({ organizationId, subscriptionId }, context));
}
