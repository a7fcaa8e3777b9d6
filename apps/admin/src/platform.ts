import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  newCallContext,
  openChannel,
  rpcIdentity,
  type CallContext,
  type RpcChannel,
  type RpcIdentity,
} from '@invoicing/rpc';
import { patientChannel } from './patient-channel';
import { UsersService } from '@invoicing/contracts/invoicing/application/v1/users';
import { PersonalDataService as NotificationPersonalData } from '@invoicing/contracts/invoicing/notification/v1/personal_data';
import { PersonalDataService as GatewayPersonalData } from '@invoicing/contracts/invoicing/gateway/v1/personal_data';
import { PersonalDataService as CheckoutPersonalData } from '@invoicing/contracts/invoicing/checkout/v1/personal_data';
import { PersonalDataService as CatalogPersonalData } from '@invoicing/contracts/invoicing/catalog/v1/personal_data';
import { PersonalDataService as BillingPersonalData } from '@invoicing/contracts/invoicing/billing/v1/personal_data';
import { AccountsService } from '@invoicing/contracts/invoicing/billing/v1/account';
import { ClocksService } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { BankStatementsService } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { ExportsService } from '@invoicing/contracts/invoicing/billing/v1/exports';
import { PeriodsService } from '@invoicing/contracts/invoicing/billing/v1/periods';
import { VatReturnsService } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { HistoryService as BillingHistoryService } from '@invoicing/contracts/invoicing/billing/v1/history';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { RemindersService } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { SubscriptionsService } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import {
  CustomersService,
  HistoryService as CatalogHistoryService,
  ProductsService,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { VatChecksService } from '@invoicing/contracts/invoicing/catalog/v1/vat_checks';
import { CheckoutsService, ProvidersService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { KeysService, MaintenanceService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { HistoryService as CheckoutHistoryService } from '@invoicing/contracts/invoicing/checkout/v1/history';
import { HistoryService as NotificationHistoryService } from '@invoicing/contracts/invoicing/notification/v1/history';
import {
  LettersService,
  MailService,
  WebhooksService,
} from '@invoicing/contracts/invoicing/notification/v1/notification';
import { PeppolService } from '@invoicing/contracts/invoicing/notification/v1/peppol';

/** What `npm start` leaves in DATA_DIR/platform.json. */
export interface PlatformState {
  readonly gatewayUrl: string;
  /** Of the store that it runs on; absent where the platform is found by its addresses. */
  readonly mongodbUri?: string | undefined;
  readonly addresses: Readonly<
    Record<'billing' | 'catalog' | 'checkout' | 'notification' | 'application' | 'gateway', string>
  >;
  readonly tokens: { readonly admin: string };
}

/** Finds the platform by DATA_DIR, or by the addresses and the token in the environment (production). */
export function findPlatform(env: NodeJS.ProcessEnv = process.env): PlatformState {
  const {
    BILLING_ADDRESS,
    CATALOG_ADDRESS,
    CHECKOUT_ADDRESS,
    NOTIFICATION_ADDRESS,
    APPLICATION_ADDRESS,
    GATEWAY_ADDRESS,
    SERVICE_TOKEN,
    PUBLIC_URL,
  } = env;
  if (
    BILLING_ADDRESS &&
    CATALOG_ADDRESS &&
    CHECKOUT_ADDRESS &&
    NOTIFICATION_ADDRESS &&
    APPLICATION_ADDRESS &&
    GATEWAY_ADDRESS &&
    SERVICE_TOKEN
  ) {
    return {
      gatewayUrl: PUBLIC_URL ?? '',
      addresses: {
        billing: BILLING_ADDRESS,
        catalog: CATALOG_ADDRESS,
        checkout: CHECKOUT_ADDRESS,
        notification: NOTIFICATION_ADDRESS,
        application: APPLICATION_ADDRESS,
        gateway: GATEWAY_ADDRESS,
      },
      mongodbUri: env['MONGODB_URI'],
      tokens: { admin: SERVICE_TOKEN },
    };
  }
  const file = join(env['DATA_DIR'] || '.data', 'platform.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PlatformState;
  } catch (error) {
    throw new Error(`no running platform: ${file} is not there (start it with npm start, or set DATA_DIR)`, {
      cause: error,
    });
  }
}

/** Clients of every service, opened when first used. */
export function connect(state: PlatformState = findPlatform()) {
  const identity = rpcIdentity({ ...process.env, SERVICE_TOKEN: state.tokens.admin, SERVICE_TOKEN_HASHES: '' });
  const to = channelsTo(state, identity);
  return {
    gatewayUrl: state.gatewayUrl,
    get organizations() {
      return to('billing').client(OrganizationsService);
    },
    get clocks() {
      return to('billing').client(ClocksService);
    },
    get invoices() {
      return to('billing').client(InvoicesService);
    },
    get accounts() {
      return to('billing').client(AccountsService);
    },
    /** What is done to get paid. */
    get receivables() {
      return receivablesOf(to);
    },
    get books() {
      return booksOf(to('billing'));
    },
    get subscriptions() {
      return to('billing').client(SubscriptionsService);
    },
    get credits() {
      return to('billing').client(CreditsService);
    },
    get histories() {
      return historiesOf(to);
    },
    get personalData() {
      return personalDataOf(to);
    },
    get customers() {
      return to('catalog').client(CustomersService);
    },
    get vatChecks() {
      return to('catalog').client(VatChecksService);
    },
    get products() {
      return to('catalog').client(ProductsService);
    },
    get checkouts() {
      return to('checkout').client(CheckoutsService);
    },
    get providers() {
      return to('checkout').client(ProvidersService);
    },
    /** What was sent, by whichever way. */
    get deliveries() {
      return deliveriesOf(to('notification'));
    },
    get webhooks() {
      return to('notification').client(WebhooksService);
    },
    get users() {
      return to('application').client(UsersService);
    },
    get keys() {
      return to('gateway').client(KeysService);
    },
    get maintenance() {
      return to('gateway').client(MaintenanceService);
    },
  };
}

type To = (service: keyof PlatformState['addresses']) => RpcChannel;

/** One connection to each service, opened when it is first asked for. */
function channelsTo({ addresses }: PlatformState, identity: RpcIdentity): To {
  const channels = new Map<string, RpcChannel>();
  return (service) => {
    const open = channels.get(service) ?? patientChannel(openChannel(addresses[service], identity));
    channels.set(service, open);
    return open;
  };
}

const receivablesOf = (to: To) => ({
  bankStatements: to('billing').client(BankStatementsService),
  reminders: to('billing').client(RemindersService),
});

const deliveriesOf = (notification: RpcChannel) => ({
  mail: notification.client(MailService),
  letters: notification.client(LettersService),
  peppol: notification.client(PeppolService),
});

/** What became of an organisation's data, service by service. */
const historiesOf = (to: To) => ({
  billing: to('billing').client(BillingHistoryService),
  catalog: to('catalog').client(CatalogHistoryService),
  checkout: to('checkout').client(CheckoutHistoryService),
  notification: to('notification').client(NotificationHistoryService),
});

/** What a bookkeeper asks for. */
const booksOf = (billing: RpcChannel) => ({
  exports: billing.client(ExportsService),
  vatReturns: billing.client(VatReturnsService),
  periods: billing.client(PeriodsService),
});

/** What is held about a person, service by service. The catalog comes last: it has the record that all others know the person by. */
const personalDataOf = (to: To) => ({
  notification: to('notification').client(NotificationPersonalData),
  gateway: to('gateway').client(GatewayPersonalData),
  checkout: to('checkout').client(CheckoutPersonalData),
  billing: to('billing').client(BillingPersonalData),
  catalog: to('catalog').client(CatalogPersonalData),
});

export type Services = ReturnType<typeof connect>;

/** A context for one operator command. */
export const operatorCall = (timeoutMs = 15_000): CallContext =>
  newCallContext(timeoutMs, { principal: { service: 'admin', userId: operatorName() } });

/** The name that changes are kept under. In a container everybody has the same: there OPERATOR says who it is. */
function operatorName(): string {
  if (process.env['OPERATOR']) return process.env['OPERATOR'];
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the password file.
    return `uid ${process.getuid?.()}`;
  }
}
