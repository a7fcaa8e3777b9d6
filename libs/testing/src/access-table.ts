import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { SubscriptionsService } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import {
  CustomersService,
  ProductsService,
  ReferencesService,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { CheckoutsService, ProvidersService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { KeysService, MaintenanceService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import {
  LettersService,
  MailService,
  WebhooksService,
} from '@invoicing/contracts/invoicing/notification/v1/notification';
import type { Identity, MethodAccess, ServiceAccess, ServiceDefinition } from '@invoicing/rpc';

// Who may call what, written down a second time: each service's own declaration, beside its handlers, is held against this table by
// its access.int.spec.ts, so that no one opens a method by a slip. docs/security.md shows it.

interface ServiceRows {
  readonly definition: ServiceDefinition;
  readonly access: Readonly<Record<string, MethodAccess>>;
}

const rows = <D extends ServiceDefinition>(definition: D, access: ServiceAccess<D>): ServiceRows => ({
  definition,
  access: access as Readonly<Record<string, MethodAccess>>,
});
const by = (...callers: Identity[]): MethodAccess => ({ callers });

export const accessTable: readonly ServiceRows[] = [
  rows(OrganizationsService, {
    createOrganization: by('admin'),
    getOrganization: by('gateway', 'checkout', 'notification', 'application', 'admin'),
    listOrganizations: by('admin'),
    updateOrganization: by('application', 'admin'),
    createProfile: by('application', 'admin'),
  }),
  rows(InvoicesService, {
    priceLines: by('checkout', 'application', 'admin'),
    createInvoice: by('gateway', 'checkout', 'application', 'admin'),
    listInvoices: by('gateway', 'application', 'admin'),
    getInvoice: by('notification', 'application', 'admin'),
    getPublicInvoice: by('checkout'),
    updateDraft: by('application', 'admin'),
    deleteDraft: by('application', 'admin'),
    issueInvoice: by('application', 'admin'),
    creditInvoice: by('application', 'admin'),
    recordPayment: by('checkout', 'application', 'admin'),
    renderInvoice: by('notification', 'application', 'admin'),
    verifyNumbers: by('admin'),
  }),
  rows(SubscriptionsService, {
    createSubscription: by('gateway', 'application', 'admin'),
    listSubscriptions: by('gateway', 'application', 'admin'),
    getSubscription: by('application', 'admin'),
    pauseSubscription: by('application', 'admin'),
    resumeSubscription: by('application', 'admin'),
    endSubscription: by('application', 'admin'),
    previewSubscription: by('application', 'admin'),
    runSubscriptions: by('admin'),
  }),
  rows(CreditsService, {
    grantCredits: by('gateway', 'platform-billing'),
    getCreditBalance: by('application', 'admin'),
    reserveCredit: by('notification'),
    consumeCredit: by('notification'),
    releaseCredit: by('notification'),
  }),
  rows(CustomersService, {
    createCustomer: by('gateway', 'application', 'admin'),
    matchCustomer: by('checkout'),
    getCustomer: by('application', 'admin'),
    listCustomers: by('gateway', 'application', 'admin'),
  }),
  rows(ProductsService, {
    createProduct: by('gateway', 'application', 'admin'),
    listProducts: by('gateway', 'application', 'admin'),
  }),
  rows(ReferencesService, { resolveReferences: by('billing') }),
  rows(CheckoutsService, {
    createCheckout: by('gateway', 'application', 'admin'),
    listCheckouts: by('gateway', 'application', 'admin'),
    getCheckout: by('application', 'admin'),
    getInvoicePaymentOptions: by('billing'),
  }),
  rows(ProvidersService, {
    connectProvider: by('application', 'admin'),
    listProviders: by('application', 'admin'),
  }),
  rows(MailService, { sendInvoice: by('billing'), listMail: by('admin') }),
  rows(LettersService, { listLetters: by('admin') }),
  rows(WebhooksService, {
    createEndpoint: by('admin'),
    listEndpoints: by('admin'),
    disableEndpoint: by('admin'),
    enableEndpoint: by('admin'),
    rotateSecret: by('admin'),
    listDeliveries: by('admin'),
    redeliver: by('admin'),
    sendTestEvent: by('admin'),
  }),
  rows(KeysService, { createKey: by('admin'), listKeys: by('admin'), revokeKey: by('admin') }),
  rows(MaintenanceService, { setMaintenance: by('admin'), getMaintenance: by('admin') }),
];

/** Every method: its path (`/invoicing.billing.v1.Credits/GrantCredits`), its name in the definition, and who may call it. */
export const methodsOfTable = accessTable.flatMap(({ definition, access }) =>
  Object.entries(access).map(([name, { callers }]) => ({
    definition,
    name,
    path: definition[name]!.path,
    callers,
  })),
);
