import { randomBytes } from 'node:crypto';
import {
  allValid,
  AppError,
  refused,
  requireValid,
  valid,
  validationError,
  type Checked,
  type Warning,
} from '@invoicing/errors';
import { type Actor } from '@invoicing/rules';
import { checkCheckoutInput, type CheckoutInput } from './checkout-input';
import { type Session } from './session';
import {
  type Call,
  type LineRequest,
  type PaymentMethod,
  type Ports,
  type PricedLines,
  type Seller,
} from './session-ports';

const HOUR_MS = 3_600_000;
const TOKEN_BYTES = 24;
const MAX_LINES = 100;

/** Makes a session; a dry run answers it without storing it. Running it again with the same id answers the first one, its address included. */
export async function createCheckout(
  ports: Ports,
  id: string,
  asked: CheckoutInput,
  lines: readonly LineRequest[],
  call: Call & { readonly by: Actor },
): Promise<{ readonly session: Session; readonly warnings: readonly Warning[] }> {
  const [seller, priced] = await Promise.all([
    ports.billing.seller(asked.organizationId, call),
    priceLines(ports, asked, lines, call),
  ]);
  const checks = {
    input: checkCheckoutInput(asked, ports.allowLoopback),
    sellerName: sellerNameOf(seller, asked),
    priced,
  };
  const { input, sellerName, priced: judged } = requireValid(allValid(checks));
  const { warnings, ...amounts } = judged;
  await requirePayable(ports, input, amounts);

  const now = ports.clock.now(input.organizationId);
  const made: Session = {
    id,
    kind: 'checkout',
    organizationId: input.organizationId,
    profileId: input.profileId,
    token: randomBytes(TOKEN_BYTES).toString('base64url'),
    title: input.title,
    sellerName,
    ...amounts,
    ...(Object.keys(input.terms).length > 0 && { terms: input.terms }),
    redirectUrl: input.redirectUrl,
    methods: input.methods,
    prefill: input.customer,
    status: 'open',
    createdAt: now,
    expiresAt: new Date(now.getTime() + input.expiresInHours * HOUR_MS),
    attempts: [],
    paidAttemptId: null,
    paidAt: null,
    fulfilment: null,
    invoice: null,
    ...(call.testScenario && { testScenario: call.testScenario }),
    revision: 0,
  };
  const session = call.dryRun ? made : await ports.sessions.insert(made, call.by);
  if (session.kind !== 'checkout')
    throw new AppError('conflict', 'conflict', 'the operation id belongs to something else');
  return { session, warnings };
}

/** What billing says of the lines joins what we say, so that a caller hears everything at once. */
async function priceLines(
  { billing }: Ports,
  { organizationId, terms, customer }: CheckoutInput,
  lines: readonly LineRequest[],
  call: Call,
): Promise<Checked<PricedLines>> {
  if (lines.length < 1 || lines.length > MAX_LINES)
    return refused({ path: '/lines', message: `must have 1 to ${MAX_LINES} lines` });
  try {
    const asked = { organizationId, lines, pricesIncludeVat: terms.pricesIncludeVat ?? false, buyer: customer };
    const priced = await billing.priceLines(asked, call);
    if (priced.totals.inclCents > 0) return valid(priced);
    return refused({ path: '/lines', message: 'must add up to more than nothing' });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'invalid' || !error.details) throw error;
    return refused(...error.details);
  }
}

/**
 * A link that nobody could pay is refused while somebody is there to mend it: without a connected provider, or with methods none of which
 * the provider has for this sum. A provider that does not answer now may well do so when the payer comes.
 */
async function requirePayable(
  { accounts, openProvider, report }: Pick<Ports, 'accounts' | 'openProvider' | 'report'>,
  { organizationId, methods }: CheckoutInput,
  { totals, currency }: Pick<PricedLines, 'totals' | 'currency'>,
): Promise<void> {
  const account = await accounts.current(organizationId);
  if (!account) {
    const message = 'no payment provider is connected: connect one in the application, or have an operator do so';
    throw validationError([{ path: '', message }]);
  }
  if (methods.length === 0) return;
  let offered: readonly PaymentMethod[];
  try {
    offered = await openProvider(account).listMethods(totals.inclCents, currency, 'en');
  } catch (error) {
    report('provider_failed', { accountId: account.id, error });
    return;
  }
  if (methods.some((method) => offered.some(({ id }) => id === method))) return;
  const message = `none of these is offered for this amount; there are ${offered.map(({ id }) => id).join(', ') || 'none'}`;
  throw validationError([{ path: '/methods', message }]);
}

function sellerNameOf(seller: Seller, { profileId }: CheckoutInput): Checked<string> {
  if (profileId === null) return valid(seller.name);
  const profile = seller.profiles.find(({ id }) => id === profileId);
  return profile ? valid(profile.name) : refused({ path: '/profileId', message: 'does not exist' });
}
