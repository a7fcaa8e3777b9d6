import { randomUUID } from 'node:crypto';
import { UsersService } from '@invoicing/contracts/invoicing/application/v1/users';
import { SubscriptionsService } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { ProductsService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { MaintenanceService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { AppError } from '@invoicing/errors';
import type { CallContext } from '@invoicing/rpc';
import { callContext } from '../nemesis/client';
import type { Cluster } from '../nemesis/cluster';
import { newId, type Traffic } from '../nemesis/one-client';
import { EVERY_KIND } from '../nemesis/traffic';

const TRIES = 40;

/** Everything that clients, payers and operators ask for, in an order in which there is something to do it with. */
export async function walkJourney(cluster: Cluster, traffic: Traffic): Promise<void> {
  for (const step of EVERY_KIND) await step(traffic);
  await operate(cluster, traffic);
}

/** What is asked again under the same operation until it is answered; a refusal that follows from its having been done is an answer, too. */
async function untilAnswered(ask: (context: CallContext) => Promise<unknown>): Promise<void> {
  const operationId = randomUUID();
  for (let tries = 1; ; tries++)
    try {
      await ask(callContext(operationId));
      return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isUnclear = ['unavailable', 'unfinished', 'internal', 'busy'].includes(error.kind);
      if (!isUnclear) return;
      if (tries >= TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
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
  const listed = await products.listProducts({ organizationId, limit: 1 } as never, callContext());
  const productId = listed.products[0]!.id;
  const steps: ((context: CallContext) => Promise<unknown>)[] = [
    (context) =>
      clients.organizations.updateOrganization(
        { organizationId, details: { name: 'Bakkerij De Maan' }, updateMask: ['name'] } as never,
        context,
      ),
    (context) =>
      clients.organizations.createProfile(
        { organizationId, name: 'Tweede', numberFormat: 'T-{YYYY}-{SEQ:4}' } as never,
        context,
      ),
    (context) =>
      clients.invoices.updateDraft(
        { organizationId, invoiceId: draftId, draft: { note: 'Dank u' }, updateMask: ['note'] } as never,
        context,
      ),
    (context) => clients.invoices.deleteDraft({ organizationId, invoiceId: drafts[0]! } as never, context),
    (context) => clients.customers.archiveCustomer({ organizationId, customerId, undo: false }, context),
    (context) => clients.customers.archiveCustomer({ organizationId, customerId, undo: true }, context),
    (context) => products.archiveProduct({ organizationId, productId, undo: false }, context),
    (context) => users.inviteUser({ organizationId, email, role: 'viewer' } as never, context),
    (context) => maintenance.setMaintenance({ on: false } as never, context),
    ...world.invoices
      .slice(-1)
      .flatMap(({ id: invoiceId }) => [
        (context: CallContext) => clients.invoices.postInvoice({ organizationId, invoiceId } as never, context),
      ]),
  ];
  for (const step of steps) await untilAnswered(step);
  const {
    subscriptions: [first],
  } = await subscriptions.listSubscriptions({ organizationId, limit: 1 } as never, callContext());
  if (!first) return;
  await untilAnswered((context) =>
    subscriptions.pauseSubscription({ organizationId, subscriptionId: first.id } as never, context),
  );
  await untilAnswered((context) =>
    subscriptions.endSubscription({ organizationId, subscriptionId: first.id } as never, context),
  );
}
