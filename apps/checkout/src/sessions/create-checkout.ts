import { randomBytes } from 'node:crypto';
import { AppError, validationError, type Violation } from '@invoicing/errors';
import { checkoutViolations, type CheckoutInput } from './checkout-input';
import { type Session } from './session';
import { type Call, type LineRequest, type Ports, type Seller } from './session-ports';

const HOUR_MS = 3_600_000;
const TOKEN_BYTES = 24;

/** Makes a session. Running it again with the same id answers the first one, its address included. */
export async function createCheckout(
  ports: Ports,
  id: string,
  input: CheckoutInput,
  lines: readonly LineRequest[],
  call: Call,
): Promise<Session> {
  const violations = checkoutViolations(input, ports.allowLoopback);
  const [seller, priced] = await Promise.all([
    ports.billing.seller(input.organizationId, call),
    input.lineCount >= 1 && input.lineCount <= 100
      ? gather(ports.billing.priceLines(input.organizationId, lines, call), violations)
      : undefined,
  ]);
  const profile = profileOf(seller, input.profileId, violations);
  if (priced && priced.totals.inclCents <= 0)
    violations.push({ path: '/lines', message: 'must add up to more than nothing' });
  if (violations.length > 0 || !priced) throw validationError(violations);

  const now = ports.clock.now();
  const session = await ports.sessions.insert({
    id,
    kind: 'checkout',
    organizationId: input.organizationId,
    profileId: input.profileId,
    token: randomBytes(TOKEN_BYTES).toString('base64url'),
    title: input.title,
    sellerName: profile ?? seller.name,
    ...priced,
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
    revision: 0,
  });
  if (session.organizationId !== input.organizationId || session.kind !== 'checkout')
    throw new AppError('conflict', 'conflict', 'the operation id belongs to something else');
  return session;
}

/** Violations of billing join ours, so that a caller hears everything at once. */
async function gather<T>(work: Promise<T>, violations: Violation[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'invalid' || !error.details) throw error;
    violations.push(...error.details);
    return undefined;
  }
}

function profileOf(seller: Seller, profileId: string | null, violations: Violation[]): string | undefined {
  if (profileId === null) return undefined;
  const profile = seller.profiles.find(({ id }) => id === profileId);
  if (!profile) violations.push({ path: '/profileId', message: 'does not exist' });
  return profile?.name;
}
