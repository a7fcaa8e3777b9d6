import { UsersService } from '@invoicing/contracts/invoicing/application/v1/users';
import { AccountsService } from '@invoicing/contracts/invoicing/billing/v1/account';
import { BrandsService } from '@invoicing/contracts/invoicing/billing/v1/brands';
import { ClocksService } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { BankStatementsService } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { ExportsService } from '@invoicing/contracts/invoicing/billing/v1/exports';
import { PeriodsService } from '@invoicing/contracts/invoicing/billing/v1/periods';
import { VatReturnsService } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { HistoryService as BillingHistoryService } from '@invoicing/contracts/invoicing/billing/v1/history';
import { OverviewsService } from '@invoicing/contracts/invoicing/billing/v1/overview';
import { PreviewsService } from '@invoicing/contracts/invoicing/billing/v1/previews';
import { InvoiceMailsService } from '@invoicing/contracts/invoicing/billing/v1/invoice_mails';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { RemindersService } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { SandboxService } from '@invoicing/contracts/invoicing/billing/v1/sandbox';
import { SubscriptionsService } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import {
  CustomersService,
  HistoryService as CatalogHistoryService,
  ProductsService,
  ReferencesService,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import {
  CheckoutsService,
  ProvidersService,
  RefundsService,
} from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { VatChecksService } from '@invoicing/contracts/invoicing/catalog/v1/vat_checks';
import { RequestsService } from '@invoicing/contracts/invoicing/gateway/v1/requests';
import { SenderService } from '@invoicing/contracts/invoicing/notification/v1/sender';
import { HistoryService as CheckoutHistoryService } from '@invoicing/contracts/invoicing/checkout/v1/history';
import { HistoryService as NotificationHistoryService } from '@invoicing/contracts/invoicing/notification/v1/history';
import { KeysService, MaintenanceService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import {
  LettersService,
  MailService,
  WebhooksService,
} from '@invoicing/contracts/invoicing/notification/v1/notification';
import { PeppolService } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { TestEventsService } from '@invoicing/contracts/invoicing/notification/v1/test_events';
import { PersonalDataService as BillingPersonalData } from '@invoicing/contracts/invoicing/billing/v1/personal_data';
import { PersonalDataService as CatalogPersonalData } from '@invoicing/contracts/invoicing/catalog/v1/personal_data';
import { PersonalDataService as CheckoutPersonalData } from '@invoicing/contracts/invoicing/checkout/v1/personal_data';
import { PersonalDataService as GatewayPersonalData } from '@invoicing/contracts/invoicing/gateway/v1/personal_data';
import { PersonalDataService as NotificationPersonalData } from '@invoicing/contracts/invoicing/notification/v1/personal_data';
import type { Action } from '@invoicing/rules';
import type { Identity, MethodAccess, ServiceAccess, ServiceDefinition } from '@invoicing/rpc';

// Who may call what, and as what people may do it, written down a second time: each service's own declaration, beside its handlers, is held against this table by
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
const doing = (action: Action, ...callers: Identity[]): MethodAccess => ({ callers, action });

export const accessTable: readonly ServiceRows[] = [
  rows(OrganizationsService, {
    createOrganization: by('application', 'admin'),
    getOrganization: doing('settings.read', 'gateway', 'checkout', 'notification', 'application', 'admin'),
    listOrganizations: by('admin'),
    updateOrganization: doing('settings.write', 'application', 'admin'),
    createProfile: doing('settings.write', 'application', 'admin'),
    getProfile: doing('settings.read', 'application', 'admin'),
    updateProfile: doing('settings.write', 'application', 'admin'),
    previewProfile: doing('settings.write', 'application', 'admin'),
  }),
  rows(BrandsService, { getBrand: doing('settings.read', 'checkout', 'notification') }),
  rows(InvoicesService, {
    priceLines: doing('invoices.write', 'checkout', 'application', 'admin'),
    createInvoice: doing('invoices.write', 'gateway', 'checkout', 'application', 'admin'),
    listInvoices: doing('invoices.read', 'gateway', 'application', 'admin'),
    getInvoice: doing('invoices.read', 'notification', 'application', 'admin'),
    getPublicInvoice: by('checkout'),
    updateDraft: doing('invoices.write', 'application', 'admin'),
    deleteDraft: doing('invoices.write', 'application', 'admin'),
    issueInvoice: doing('invoices.issue', 'application', 'admin'),
    creditInvoice: doing('invoices.credit', 'application', 'admin'),
    resendInvoice: doing('invoices.issue', 'application', 'admin'),
    postInvoice: doing('invoices.issue', 'application', 'admin'),
    recordPayment: doing('payments.record', 'checkout', 'application', 'admin'),
    renderInvoice: doing('invoices.read', 'notification', 'application', 'admin'),
    verifyNumbers: by('admin'),
  }),
  rows(InvoiceMailsService, { getInvoiceMail: doing('invoices.read', 'notification') }),
  rows(OverviewsService, { getOverview: doing('invoices.read', 'application') }),
  rows(PreviewsService, {
    renderDraft: doing('invoices.read', 'application'),
    previewIssue: doing('invoices.issue', 'application'),
    previewCredit: doing('invoices.credit', 'application'),
  }),
  rows(SandboxService, { causeEvent: by('gateway') }),
  rows(TestEventsService, { listTestEvents: by('gateway'), causeTestEvent: by('gateway') }),
  rows(ClocksService, {
    getClock: doing('settings.read', 'gateway', 'application', 'admin'),
    moveClock: doing('settings.write', 'gateway', 'application', 'admin'),
    clearClock: doing('settings.write', 'gateway', 'application', 'admin'),
    listClocks: by('checkout', 'notification'),
  }),
  rows(AccountsService, {
    getAccount: doing('invoices.read', 'application', 'admin'),
    listEntries: doing('invoices.read', 'application', 'admin'),
    recordPayment: doing('payments.record', 'checkout', 'application', 'admin'),
    refundPayment: doing('refunds.create', 'checkout', 'application', 'admin'),
    moveSurplus: doing('payments.record', 'application', 'admin'),
    writeOff: doing('payments.record', 'application', 'admin'),
    reverseEntry: doing('payments.record', 'application', 'admin'),
    recordMovement: by('checkout'),
  }),
  rows(BankStatementsService, {
    importStatement: doing('banking.write', 'application', 'admin'),
    listBankLines: doing('banking.write', 'application', 'admin'),
    getBankLine: doing('banking.write', 'application'),
    listBankStatements: doing('banking.write', 'application', 'admin'),
    answerBankLine: doing('banking.write', 'application', 'admin'),
    undoBankLine: doing('banking.write', 'application', 'admin'),
  }),
  rows(RemindersService, {
    getReminderPlan: doing('settings.read', 'application', 'admin'),
    setReminderPlan: doing('settings.write', 'application', 'admin'),
    listReminders: doing('invoices.read', 'application', 'admin'),
    exceptFromReminders: doing('payments.record', 'application', 'admin'),
    listReminderExceptions: doing('invoices.read', 'application', 'admin'),
    runReminders: by('admin'),
    describeReminder: by('notification'),
    renderReminder: by('notification'),
  }),
  rows(SubscriptionsService, {
    createSubscription: doing('subscriptions.write', 'gateway', 'application', 'admin'),
    listSubscriptions: doing('subscriptions.read', 'gateway', 'application', 'admin'),
    getSubscription: doing('subscriptions.read', 'application', 'admin'),
    updateSubscription: doing('subscriptions.write', 'application', 'admin'),
    pauseSubscription: doing('subscriptions.write', 'application', 'admin'),
    resumeSubscription: doing('subscriptions.write', 'application', 'admin'),
    endSubscription: doing('subscriptions.write', 'application', 'admin'),
    previewSubscription: doing('subscriptions.read', 'application', 'admin'),
    runSubscriptions: by('admin'),
  }),
  rows(ExportsService, { exportBooks: doing('exports.create', 'application', 'admin') }),
  rows(VatReturnsService, {
    getVatReturn: doing('exports.create', 'application', 'admin'),
    listVatLines: doing('exports.create', 'application', 'admin'),
  }),
  rows(PeriodsService, {
    closePeriod: doing('periods.close', 'application', 'admin'),
    listPeriods: doing('exports.create', 'application', 'admin'),
    reopenPeriod: doing('periods.close', 'application', 'admin'),
  }),
  rows(CreditsService, {
    grantCredits: by('gateway', 'platform-billing'),
    getCreditBalance: doing('credits.read', 'application', 'admin'),
    listCreditEntries: doing('credits.read', 'application', 'admin'),
    reserveCredit: by('notification'),
    consumeCredit: by('notification'),
    releaseCredit: by('notification'),
  }),
  rows(CustomersService, {
    createCustomer: doing('customers.write', 'gateway', 'application', 'admin'),
    matchCustomer: by('checkout'),
    getCustomer: doing('customers.read', 'application', 'admin'),
    listCustomers: doing('customers.read', 'gateway', 'application', 'admin'),
    updateCustomer: doing('customers.write', 'application', 'admin'),
    archiveCustomer: doing('customers.write', 'application', 'admin'),
    mergeCustomers: doing('customers.write', 'application'),
    beginErasure: by('admin'),
    finishErasure: by('admin'),
  }),
  rows(VatChecksService, { checkVatId: doing('customers.write', 'application', 'admin') }),
  rows(ProductsService, {
    createProduct: doing('products.write', 'gateway', 'application', 'admin'),
    listProducts: doing('products.read', 'gateway', 'application', 'admin'),
    getProduct: doing('products.read', 'application', 'admin'),
    updateProduct: doing('products.write', 'application', 'admin'),
    archiveProduct: doing('products.write', 'application', 'admin'),
    mergeProducts: doing('products.write', 'application'),
  }),
  rows(BillingHistoryService, { listHistory: doing('history.read', 'application', 'admin') }),
  rows(CheckoutHistoryService, { listHistory: doing('history.read', 'application', 'admin') }),
  rows(NotificationHistoryService, { listHistory: doing('history.read', 'application', 'admin') }),
  rows(CatalogHistoryService, { listHistory: doing('history.read', 'application', 'admin') }),
  rows(ReferencesService, {
    resolveReferences: doing('customers.read', 'billing', 'application'),
    findCustomers: by('billing'),
  }),
  rows(CheckoutsService, {
    createCheckout: doing('checkouts.write', 'gateway', 'application', 'admin'),
    listCheckouts: doing('checkouts.read', 'gateway', 'application', 'admin'),
    getCheckout: doing('checkouts.read', 'application', 'admin'),
    listAttempts: doing('checkouts.read', 'application', 'admin'),
    cancelCheckout: doing('checkouts.write', 'application', 'admin'),
    getInvoicePaymentOptions: by('billing'),
    getInvoicePaymentProgress: by('billing'),
  }),
  rows(RefundsService, { refundPayment: by('billing') }),
  rows(ProvidersService, {
    connectProvider: doing('providers.connect', 'application', 'admin'),
    listProviders: doing('settings.read', 'application', 'admin'),
    testProvider: doing('settings.read', 'application', 'admin'),
  }),
  rows(MailService, {
    sendInvoice: by('billing'),
    resendInvoice: by('billing'),
    sendReminder: by('billing'),
    sendSignIn: by('application'),
    listMail: doing('messages.read', 'application', 'admin'),
  }),
  rows(LettersService, {
    postInvoice: by('billing'),
    postReminder: by('billing'),
    listLetters: doing('messages.read', 'application', 'admin'),
  }),
  rows(PeppolService, {
    connectAccessPoint: doing('providers.connect', 'application', 'admin'),
    listAccessPoints: doing('settings.read', 'application', 'admin'),
    lookupRecipient: doing('customers.read', 'application', 'admin'),
    requestDelivery: by('billing'),
    sendInvoice: doing('invoices.issue', 'application', 'admin'),
    listDeliveries: doing('messages.read', 'application', 'admin'),
  }),
  rows(WebhooksService, {
    createEndpoint: doing('webhooks.manage', 'application', 'admin'),
    updateEndpoint: doing('webhooks.manage', 'application', 'admin'),
    listEndpoints: doing('webhooks.manage', 'application', 'admin'),
    disableEndpoint: doing('webhooks.manage', 'application', 'admin'),
    enableEndpoint: doing('webhooks.manage', 'application', 'admin'),
    rotateSecret: doing('webhooks.manage', 'application', 'admin'),
    listDeliveries: doing('webhooks.manage', 'application', 'admin'),
    getDelivery: doing('webhooks.manage', 'application', 'admin'),
    redeliver: doing('webhooks.manage', 'application', 'admin'),
    redeliverPeriod: doing('webhooks.manage', 'application', 'admin'),
    sendTestEvent: doing('webhooks.manage', 'application', 'admin'),
  }),
  rows(SenderService, {
    getSender: doing('settings.read', 'application', 'admin'),
    sendTestMail: doing('settings.write', 'application', 'admin'),
  }),
  rows(RequestsService, { listRequests: doing('keys.manage', 'application', 'admin') }),
  rows(KeysService, {
    createKey: doing('keys.manage', 'application', 'admin'),
    listKeys: doing('keys.manage', 'application', 'admin'),
    revokeKey: doing('keys.manage', 'application', 'admin'),
  }),
  rows(UsersService, { inviteUser: by('admin'), listUsers: by('admin'), removeUser: by('admin') }),
  ...[
    BillingPersonalData,
    CatalogPersonalData,
    CheckoutPersonalData,
    GatewayPersonalData,
    NotificationPersonalData,
  ].map((each) => rows(each, { exportPersonalData: by('admin'), erasePersonalData: by('admin') })),
  rows(MaintenanceService, { setMaintenance: by('admin'), getMaintenance: by('admin') }),
];

/** Every method: its path (`/invoicing.billing.v1.Credits/GrantCredits`), its name in the definition, and who may call it as what. */
export const methodsOfTable = accessTable.flatMap(({ definition, access }) =>
  Object.entries(access).map(([name, row]) => ({ definition, name, path: definition[name]!.path, ...row })),
);
