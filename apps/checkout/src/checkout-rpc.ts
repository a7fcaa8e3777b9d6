import { randomUUID } from 'node:crypto';
import {
  CheckoutStatus,
  CheckoutsService,
  ProvidersService,
  RefundsService,
  type Checkout,
  type CreateCheckoutRequest,
  type GetCheckoutRequest,
  type ProviderAccount as AccountMessage,
} from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { notFoundError, validationError, type Violation } from '@invoicing/errors';
import { bindService, listLimit, type BoundService, type ServerCallContext } from '@invoicing/rpc';
import { isUuid, targetFault } from '@invoicing/rules';
import { attemptCents, termsSaid, type Attempt, type Session, type SessionStatus } from './sessions/session';
import { connectProvider } from './providers/connect-provider';
import { type CheckoutInput } from './sessions/checkout-input';
import { cancelCheckout } from './sessions/cancel-checkout';
import { createCheckout } from './sessions/create-checkout';
import { type Ports, type ProviderAccount } from './sessions/session-ports';
import { invoiceSessionId } from './sessions/session-events';
import { refundPayment } from './sessions/refund-payment';
import { pageUrl } from './sessions/start-payment';
import { type MongoSessions } from './sessions/session-store';
import { testProvider } from './providers/test-provider';
import { payingAccount } from './providers/paying-account';
import { type ProviderKinds } from './providers/provider-kinds';

/** A payment that is begun and neither arrived nor failed. */
const UNDER_WAY: readonly string[] = ['starting', 'open', 'pending'];
const LIST = { usual: 100, most: 100 };
const EXPIRES_IN_HOURS = 72;

const STATUSES: Record<SessionStatus, CheckoutStatus> = {
  open: CheckoutStatus.OPEN,
  paid: CheckoutStatus.PAID,
  expired: CheckoutStatus.EXPIRED,
};

const WORDS: Partial<Record<CheckoutStatus, SessionStatus>> = {
  [CheckoutStatus.OPEN]: 'open',
  [CheckoutStatus.PAID]: 'paid',
  [CheckoutStatus.EXPIRED]: 'expired',
};

type CheckoutPorts = Ports & { readonly sessions: MongoSessions };

/** What checkout serves: sessions, refunds of what was paid in them, and the accounts at payment providers. */
export const checkoutServices = (ports: CheckoutPorts, kinds: ProviderKinds): BoundService[] => [
  checkoutsService(ports),
  refundsService(ports),
  providersService(ports, kinds),
];

function checkoutsService(ports: CheckoutPorts): BoundService {
  const { sessions, publicUrl } = ports;
  const checkoutOf = (session: Session): Checkout => ({
    id: session.id,
    warnings: [],
    status: STATUSES[session.status],
    title: session.title,
    amountInclCents: session.totals.inclCents,
    url: pageUrl(publicUrl, session),
    redirectUrl: session.redirectUrl ?? undefined,
    expiresAt: session.expiresAt ?? undefined,
    createdAt: session.createdAt,
    invoiceId: session.invoice?.id,
    invoiceNumber: session.invoice?.number,
    organizationId: session.organizationId,
    canceledAt: session.canceledAt,
  });
  // An operator may leave the organisation out; everybody else acts for the one they name.
  const found = async (
    { organizationId, checkoutId }: GetCheckoutRequest,
    { caller }: ServerCallContext,
  ): Promise<Session> => {
    const isAnyones = organizationId === '' && caller === 'admin';
    const session = !isUuid(checkoutId)
      ? null
      : await (isAnyones ? sessions.findById(checkoutId) : sessions.find(organizationId, checkoutId));
    if (session?.kind !== 'checkout') throw notFoundError('the checkout session');
    return session;
  };

  return bindService(
    CheckoutsService,
    {
      createCheckout: async (request, call) => {
        const id = call.operationId ?? randomUUID();
        const { session, warnings } = await createCheckout(ports, id, inputOf(request), request.lines, call);
        return { ...checkoutOf(session), warnings: [...warnings] };
      },
      listCheckouts: async ({ organizationId, profileId, status, limit, cursor }) => {
        const wanted = { profileId, status: status && WORDS[status], limit: listLimit(limit, LIST), cursor };
        const { items, next } = await sessions.page(uuid('/organizationId', organizationId), wanted);
        return { checkouts: items.map(checkoutOf), cursor: next };
      },
      listAttempts: async (named, call) => {
        const session = await found(named, call);
        return { attempts: session.attempts.map((attempt) => attemptMessage(attempt, session)) };
      },
      getCheckout: async (named, call) => checkoutOf(await found(named, call)),
      cancelCheckout: async (named, call) => checkoutOf(await cancelCheckout(ports, await found(named, call), call.by)),
      getInvoicePaymentOptions: async ({ organizationId, publicToken }, call) => {
        const account = await payingAccount(ports, uuid('/organizationId', organizationId), call);
        return { available: account !== null, url: account ? `${publicUrl}/c/i/${publicToken}` : '' };
      },
      getInvoicePaymentProgress: async ({ organizationId, invoiceId }) => {
        const id = invoiceSessionId(uuid('/invoiceId', invoiceId));
        const session = await ports.sessions.find(uuid('/organizationId', organizationId), id);
        return { inProcess: session?.attempts.some(({ status }) => UNDER_WAY.includes(status)) ?? false };
      },
    },
    {
      createCheckout: { callers: ['gateway', 'application', 'admin'], action: 'checkouts.write', dryRun: true },
      listCheckouts: { callers: ['gateway', 'application', 'admin'], action: 'checkouts.read' },
      getCheckout: { callers: ['application', 'admin'], action: 'checkouts.read' },
      listAttempts: { callers: ['application', 'admin'], action: 'checkouts.read' },
      cancelCheckout: { callers: ['application', 'admin'], action: 'checkouts.write' },
      getInvoicePaymentOptions: { callers: ['billing'] },
      getInvoicePaymentProgress: { callers: ['billing'] },
    },
  );
}

const refundsService = (ports: Ports): BoundService =>
  bindService(
    RefundsService,
    {
      refundPayment: async (ask) => {
        const organizationId = uuid('/organizationId', ask.organizationId);
        const invoiceId = uuid('/invoiceId', ask.invoiceId);
        const result = await refundPayment(ports, { ...ask, organizationId, invoiceId });
        return 'refused' in result ? { refundId: '', refused: result.refused } : { ...result, refused: '' };
      },
    },
    { refundPayment: { callers: ['billing'] } },
  );

const providersService = (ports: Ports, kinds: ProviderKinds): BoundService =>
  bindService(
    ProvidersService,
    {
      connectProvider: async ({ organizationId, provider, apiKey, baseUrl }, call) => {
        const wanted = {
          id: call.operationId ?? randomUUID(),
          organizationId: uuid('/organizationId', organizationId),
          provider,
          apiKey: apiKey || null,
          baseUrl: baseUrl?.replace(/\/+$/, '') || null,
        };
        refuseAny(accountViolations(wanted, kinds, ports.allowLoopback));
        return accountMessage(await connectProvider(ports, wanted, call));
      },
      listProviders: async ({ organizationId }) => {
        const account = await ports.accounts.current(uuid('/organizationId', organizationId));
        return { accounts: account ? [accountMessage(account)] : [] };
      },
      testProvider: async ({ organizationId }, call) => {
        const { methods, error } = await testProvider(ports, uuid('/organizationId', organizationId), call);
        return { methods: methods.map(({ name }) => name), error };
      },
    },
    {
      connectProvider: { callers: ['application', 'admin'], action: 'providers.connect' },
      listProviders: { callers: ['application', 'admin'], action: 'settings.read' },
      testProvider: { callers: ['application', 'admin'], action: 'settings.read' },
    },
  );

function accountViolations(
  { provider, apiKey, baseUrl }: Pick<ProviderAccount, 'provider' | 'apiKey' | 'baseUrl'>,
  kinds: ProviderKinds,
  allowLoopback: boolean,
): Violation[] {
  const kind = Object.hasOwn(kinds, provider) ? kinds[provider] : undefined;
  if (!kind) return [{ path: '/provider', message: `must be one of ${Object.keys(kinds).join(', ')}` }];
  const baseFault = baseUrl === null ? undefined : targetFault(baseUrl, allowLoopback);
  return [...kind.check({ apiKey, baseUrl }), ...(baseFault ? [{ path: '/baseUrl', message: baseFault }] : [])];
}

function refuseAny(violations: readonly Violation[]): void {
  if (violations.length > 0) throw validationError(violations);
}

const inputOf = (request: CreateCheckoutRequest): CheckoutInput => ({
  organizationId: uuid('/organizationId', request.organizationId),
  profileId: request.profileId === undefined ? null : uuid('/profileId', request.profileId),
  title: request.title,
  terms: termsSaid(request),
  customer: request.customer ?? {},
  redirectUrl: request.redirectUrl ?? null,
  methods: request.methods,
  expiresInHours: request.expiresInHours ?? EXPIRES_IN_HOURS,
});

function uuid(path: string, text: string): string {
  if (!isUuid(text)) throw validationError([{ path, message: 'must be a lower-case UUID' }]);
  return text;
}

const accountMessage = ({ id, organizationId, provider, connectedAt }: ProviderAccount): AccountMessage => ({
  id,
  organizationId,
  provider,
  connectedAt,
});

const attemptMessage = (attempt: Attempt, session: Session) => ({
  id: attempt.id,
  provider: attempt.provider,
  method: attempt.method,
  status: attempt.status,
  amountCents: attemptCents(attempt, session),
  paymentId: attempt.paymentId ?? '',
  payerName: attempt.payer?.name ?? '',
  createdAt: attempt.createdAt,
  paidAt: attempt.paidAt ?? undefined,
});
