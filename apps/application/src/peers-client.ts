import { AccountsService } from '@invoicing/contracts/invoicing/billing/v1/account';
import { BankStatementsService } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { ExportsService } from '@invoicing/contracts/invoicing/billing/v1/exports';
import { HistoryService as BillingHistory } from '@invoicing/contracts/invoicing/billing/v1/history';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { OverviewsService } from '@invoicing/contracts/invoicing/billing/v1/overview';
import { PeriodsService } from '@invoicing/contracts/invoicing/billing/v1/periods';
import { PreviewsService } from '@invoicing/contracts/invoicing/billing/v1/previews';
import { RemindersService } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { SubscriptionsService } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { VatReturnsService } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import {
  CustomersService,
  HistoryService as CatalogHistory,
  ProductsService,
  ReferencesService,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { CheckoutsService, ProvidersService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { VatChecksService } from '@invoicing/contracts/invoicing/catalog/v1/vat_checks';
import { HistoryService as CheckoutHistory } from '@invoicing/contracts/invoicing/checkout/v1/history';
import { KeysService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { RequestsService } from '@invoicing/contracts/invoicing/gateway/v1/requests';
import { SenderService } from '@invoicing/contracts/invoicing/notification/v1/sender';
import {
  LettersService,
  MailService,
  WebhooksService,
} from '@invoicing/contracts/invoicing/notification/v1/notification';
import { PeppolService } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { HistoryService as NotificationHistory } from '@invoicing/contracts/invoicing/notification/v1/history';
import { openChannel, type RpcIdentity } from '@invoicing/rpc';
import type { ApplicationConfig } from './config';

export type Peers = ReturnType<typeof openPeers>;

/** The services, which own everything but people, over gRPC. */
export function openPeers(addresses: ApplicationConfig['addresses'], identity: RpcIdentity) {
  const billing = openChannel(addresses.billing, identity);
  const catalog = openChannel(addresses.catalog, identity);
  const checkout = openChannel(addresses.checkout, identity);
  const notification = openChannel(addresses.notification, identity);
  const gateway = openChannel(addresses.gateway, identity);
  return {
    organizations: billing.client(OrganizationsService),
    invoices: billing.client(InvoicesService),
    overviews: billing.client(OverviewsService),
    previews: billing.client(PreviewsService),
    accounts: billing.client(AccountsService),
    subscriptions: billing.client(SubscriptionsService),
    credits: billing.client(CreditsService),
    bankStatements: billing.client(BankStatementsService),
    reminders: billing.client(RemindersService),
    vatReturns: billing.client(VatReturnsService),
    exports: billing.client(ExportsService),
    periods: billing.client(PeriodsService),
    customers: catalog.client(CustomersService),
    products: catalog.client(ProductsService),
    vatChecks: catalog.client(VatChecksService),
    references: catalog.client(ReferencesService),
    /** What each keeps of who did what. */
    histories: {
      billing: billing.client(BillingHistory),
      catalog: catalog.client(CatalogHistory),
      checkout: checkout.client(CheckoutHistory),
      notification: notification.client(NotificationHistory),
    },
    checkouts: checkout.client(CheckoutsService),
    providers: checkout.client(ProvidersService),
    mail: notification.client(MailService),
    sender: notification.client(SenderService),
    letters: notification.client(LettersService),
    peppol: notification.client(PeppolService),
    webhooks: notification.client(WebhooksService),
    keys: gateway.client(KeysService),
    requests: gateway.client(RequestsService),
    close: (): void => [billing, catalog, checkout, notification, gateway].forEach((channel) => channel.close()),
  };
}
