import { randomUUID } from 'node:crypto';
import { ClocksService, type Clock } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import {
  InvoicesService,
  InvoiceKind,
  InvoiceStatus,
  type InvoiceSummary,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import {
  BillingStatus,
  Mode,
  OrganizationsService,
  Plan,
  Profile,
  type Organization,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { SandboxService } from '@invoicing/contracts/invoicing/billing/v1/sandbox';
import {
  SubscriptionsService,
  SubscriptionStatus,
  type Subscription,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import {
  CustomersService,
  ProductsService,
  type Customer,
  type Product,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { CheckoutsService, CheckoutStatus, type Checkout } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { TestEventsService } from '@invoicing/contracts/invoicing/notification/v1/test_events';
import { AppError, notFoundError, validationError } from '@invoicing/errors';
import { serveRpc, type BoundService, type ServerCallContext } from '@invoicing/rpc';
import { registerNumberWarnings, type Actor } from '@invoicing/rules';
import { createLogger } from '@invoicing/telemetry';
import { openService, testIdentity } from '@invoicing/testing';

/** What the fake services hold; tests look into it and turn its switches. */
export interface FakeState {
  readonly organizations: Map<string, Organization>;
  readonly customers: Map<string, Customer>;
  readonly products: Map<string, Product>;
  readonly invoices: Map<string, InvoiceSummary & { organizationId: string; profileId: string }>;
  readonly subscriptions: Map<string, Subscription>;
  readonly checkouts: Map<string, Checkout & { profileId: string }>;
  readonly grants: Map<string, { credits: number }>;
  readonly clocks: Map<string, Clock>;
  readonly caused: Map<string, string>;
  /** Ids of operations that arrived, in order. */
  readonly operations: string[];
  /** Who was said to do each of them. */
  readonly actors: Actor[];
  /** Awaited before every write: tests hold calls back with it, or make them fail. */
  beforeWrite: () => Promise<void>;
  /** Awaited after every write, before its answer. */
  afterWrite: () => Promise<void>;
}

export interface FakeServices {
  readonly state: FakeState;
  readonly address: string;
  addOrganization: (options?: { plan?: Plan; billingStatus?: BillingStatus; mode?: Mode }) => Organization;
  close: () => Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/**
 * The services behind the gateway as its contract knows them: one real gRPC server that keeps everything in memory and creates by the
 * operation's id, as the real ones do.
 */
export async function startFakeServices(): Promise<FakeServices> {
  const state: FakeState = {
    organizations: new Map(),
    customers: new Map(),
    products: new Map(),
    invoices: new Map(),
    subscriptions: new Map(),
    checkouts: new Map(),
    grants: new Map(),
    clocks: new Map(),
    caused: new Map(),
    operations: [],
    actors: [],
    beforeWrite: nothing,
    afterWrite: nothing,
  };
  const server = await serveRpc({
    host: '127.0.0.1',
    port: 0,
    identity: testIdentity('billing'),
    log: createLogger('fakes', 'silent'),
    services: fakeServices(state),
    isHealthy: () => true,
  });
  return {
    state,
    address: `127.0.0.1:${server.port}`,
    addOrganization: (options = {}) => {
      const organization: Organization = {
        id: randomUUID(),
        details: { name: 'Bakkerij De Zon', countryCode: 'NL', timezone: 'Europe/Amsterdam' },
        plan: options.plan ?? Plan.STANDARD,
        billingStatus: options.billingStatus ?? BillingStatus.ACTIVE,
        mode: options.mode ?? Mode.TEST,
        currency: 'EUR',
        profiles: [profile('Winkel'), profile('Webshop')],
        revision: 0,
        createdAt: new Date(),
        warnings: [],
      };
      state.organizations.set(organization.id, organization);
      return organization;
    },
    close: server.close,
  };
}

const profile = (name: string) => Profile.create({ id: randomUUID(), name, numberFormat: '{YYYY}-{SEQ:4}' });

function fakeServices(state: FakeState): BoundService[] {
  const create = async <T>(
    map: Map<string, T>,
    { operationId, by }: ServerCallContext,
    make: (id: string) => T,
  ): Promise<T> => {
    const id = operationId ?? randomUUID();
    state.operations.push(id);
    state.actors.push(by);
    await state.beforeWrite();
    const made = map.get(id) ?? make(id);
    map.set(id, made);
    await state.afterWrite();
    return made;
  };
  const clockOf = (organizationId: string, aheadMs = 0): Clock => ({
    organizationId,
    now: new Date(Date.now() + aheadMs),
    aheadMs,
  });
  const times = () => ({ createdAt: new Date(), updatedAt: new Date() });
  const own = <T extends { organizationId: string; profileId?: string }>(
    map: Map<string, T>,
    request: { organizationId: string; profileId?: string | undefined; limit: number },
  ): T[] =>
    [...map.values()]
      .filter((each) => each.organizationId === request.organizationId)
      .filter((each) => request.profileId === undefined || each.profileId === request.profileId)
      .reverse()
      .slice(0, request.limit);
  const defaultProfile = (organizationId: string): string =>
    state.organizations.get(organizationId)?.profiles[0]?.id ?? '';
  const checkCustomer = (organizationId: string, customerId: string): void => {
    if (state.customers.get(customerId)?.organizationId !== organizationId)
      throw validationError([{ path: '/customerId', message: 'does not exist' }]);
  };
  const checkProfile = (organizationId: string, profileId: string | undefined): void => {
    const { profiles = [] } = state.organizations.get(organizationId) ?? {};
    if (profileId !== undefined && !profiles.some(({ id }) => id === profileId))
      throw validationError([{ path: '/profileId', message: 'does not exist' }]);
  };

  const cause = async ({ type }: { readonly type: string }, context: ServerCallContext) => {
    await create(state.caused, context, () => type);
    return {};
  };

  return [
    openService(SandboxService, { causeEvent: cause }),
    openService(TestEventsService, { causeTestEvent: cause }),
    openService(OrganizationsService, {
      getOrganization: async ({ organizationId }) => {
        const found = state.organizations.get(organizationId);
        if (!found) throw notFoundError('the organisation');
        return found;
      },
    }),
    openService(InvoicesService, {
      createInvoice: async ({ organizationId, customerId, profileId, send, issueDate, lines }, context) => {
        checkCustomer(organizationId, customerId);
        checkProfile(organizationId, profileId);
        if (send && state.organizations.get(organizationId)?.billingStatus === BillingStatus.ARREARS)
          throw new AppError('blocked', 'billing_readonly', 'the organisation is in arrears');
        const invoice = await create(state.invoices, context, (id) => ({
          id,
          organizationId,
          profileId: profileId ?? defaultProfile(organizationId),
          number: send
            ? `2026-${String(state.invoices.size + 1).padStart(4, '0')}`
            : `CONCEPT-${id.slice(0, 8).toUpperCase()}`,
          kind: InvoiceKind.INVOICE,
          status: send ? InvoiceStatus.SENT : InvoiceStatus.DRAFT,
          totalInclCents: 12_100,
          openCents: send ? 12_100 : 0,
          issueDate: issueDate ?? '2026-03-01',
          dueDate: '2026-03-15',
          customerId,
          customerName: 'Koper',
          publicToken: `${id}-token`,
        }));
        const isWrong = lines.some(({ vatTreatment }) => vatTreatment === VatTreatment.INTRA_COMMUNITY);
        const warning = { code: 'intra_community_not_possible', message: 'not here', field: '/lines/0/vatTreatment' };
        return { ...invoice, emailed: send, emailError: send ? '' : 'draft', warnings: isWrong ? [warning] : [] };
      },
      listInvoices: async (request) => ({ invoices: own(state.invoices, request) }),
    }),
    openService(SubscriptionsService, {
      createSubscription: async (request, context) => {
        checkCustomer(request.organizationId, request.customerId);
        return create(state.subscriptions, context, (id) => ({
          ...request,
          id,
          profileId: request.profileId ?? defaultProfile(request.organizationId),
          interval: request.interval ?? 1,
          status: SubscriptionStatus.ACTIVE,
          startDate: request.startDate ?? '2026-03-01',
          nextRunDate: request.startDate ?? '2026-03-01',
          laterTerms: [],
          warnings: [],
          revision: 0,
          lastError: '',
          createdAt: new Date(),
        }));
      },
      // Two a page, as billing does with heavy ones.
      listSubscriptions: async ({ cursor = '0', ...request }) => {
        const left = own(state.subscriptions, { ...request, limit: Infinity }).slice(Number(cursor));
        const subscriptions = left.slice(0, Math.min(2, request.limit));
        const seen = Number(cursor) + subscriptions.length;
        return { subscriptions, cursor: left.length > subscriptions.length ? String(seen) : undefined };
      },
    }),
    openService(CreditsService, {
      grantCredits: async ({ organizationId, credits, reason }, context) => {
        if (!state.organizations.has(organizationId))
          throw validationError([{ path: '/orgId', message: 'does not exist' }]);
        await create(state.grants, context, () => ({ credits }));
        return {
          id: context.operationId ?? '',
          organizationId,
          credits,
          balance: credits,
          reason,
          createdAt: new Date(0),
        };
      },
    }),
    openService(ClocksService, {
      getClock: async ({ organizationId }) => clockOf(organizationId),
      moveClock: async ({ organizationId }, context) => {
        if (state.organizations.get(organizationId)?.mode === Mode.LIVE)
          throw new AppError('forbidden', 'test_only', 'a live organisation has no clock of its own');
        return create(state.clocks, context, () => clockOf(organizationId, 3_600_000));
      },
      clearClock: async ({ organizationId }, context) => create(state.clocks, context, () => clockOf(organizationId)),
    }),
    openService(CustomersService, {
      createCustomer: async ({ organizationId, details }, context) =>
        create(state.customers, context, (id) => ({
          ...{ id, organizationId, details, ...times() },
          warnings: registerNumberWarnings(details ?? {}),
        })),
      listCustomers: async (request) => ({ customers: own(state.customers, request) }),
    }),
    openService(ProductsService, {
      createProduct: async ({ organizationId, details }, context) =>
        create(state.products, context, (id) => ({ id, organizationId, details, ...times() })),
      listProducts: async (request) => ({ products: own(state.products, request) }),
    }),
    openService(CheckoutsService, {
      createCheckout: async (request, context) =>
        create(state.checkouts, context, (id) => ({
          id,
          organizationId: request.organizationId,
          profileId: request.profileId ?? defaultProfile(request.organizationId),
          status: CheckoutStatus.OPEN,
          title: request.title,
          amountInclCents: 12_100,
          url: `http://127.0.0.1/c/${id}`,
          redirectUrl: request.redirectUrl,
          expiresAt: new Date(Date.now() + (request.expiresInHours ?? 72) * 3_600_000),
          createdAt: new Date(),
          warnings: request.lines.some(({ vatTreatment }) => vatTreatment === VatTreatment.INTRA_COMMUNITY)
            ? [{ code: 'intra_community_not_possible', message: 'not here', field: '/lines/0/vatTreatment' }]
            : [],
        })),
      listCheckouts: async (request) => ({ checkouts: own(state.checkouts, request) }),
    }),
  ];
}
