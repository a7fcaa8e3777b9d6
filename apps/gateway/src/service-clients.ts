import { ClocksService } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { SandboxService } from '@invoicing/contracts/invoicing/billing/v1/sandbox';
import { SubscriptionsService } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { CustomersService, ProductsService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { CheckoutsService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { TestEventsService } from '@invoicing/contracts/invoicing/notification/v1/test_events';
import { type RpcChannel, type RpcClient } from '@invoicing/rpc';
import { type ServiceName } from './config';

/** The services behind the gateway, as the routes call them. */
export interface Services {
  readonly organizations: RpcClient<typeof OrganizationsService>;
  readonly clocks: RpcClient<typeof ClocksService>;
  readonly sandbox: RpcClient<typeof SandboxService>;
  readonly invoices: RpcClient<typeof InvoicesService>;
  readonly subscriptions: RpcClient<typeof SubscriptionsService>;
  readonly credits: RpcClient<typeof CreditsService>;
  readonly customers: RpcClient<typeof CustomersService>;
  readonly products: RpcClient<typeof ProductsService>;
  readonly checkouts: RpcClient<typeof CheckoutsService>;
  readonly testEvents: RpcClient<typeof TestEventsService>;
}

export const servicesOver = ({
  billing,
  catalog,
  checkout,
  notification,
}: Record<ServiceName, RpcChannel>): Services => ({
  organizations: billing.client(OrganizationsService),
  clocks: billing.client(ClocksService),
  sandbox: billing.client(SandboxService),
  invoices: billing.client(InvoicesService),
  subscriptions: billing.client(SubscriptionsService),
  credits: billing.client(CreditsService),
  customers: catalog.client(CustomersService),
  products: catalog.client(ProductsService),
  checkouts: checkout.client(CheckoutsService),
  testEvents: notification.client(TestEventsService),
});
