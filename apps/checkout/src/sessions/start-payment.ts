import { AppError } from '@invoicing/errors';
import { attemptAbandoned, attemptCreated, beginAttempt, type BeginResult } from './begin-attempt';
import { attemptCents, findAttempt, type Attempt, type Language, type Payer, type Session } from './session';
import { attemptIdOfForm } from './session-events';
import { changeSession } from './change-session';
import { type Ports, type ProviderAccount } from './session-ports';
import { refreshSession } from './refresh-payment';

export interface PaymentStart {
  /** Names the form that was sent, so that sending it twice pays once. */
  readonly form: string;
  readonly method: string;
  readonly payer: Payer | null;
  readonly language: Language;
}

export type PaymentStarted =
  | { readonly kind: 'go'; readonly payUrl: string }
  /** The page of the session tells why. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many' }
  /** The provider does not answer; the same form may be sent again. */
  | { readonly kind: 'provider_down' };

/** Address of a session's page. */
export const pageUrl = (publicUrl: string, { kind, token }: Session): string =>
  `${publicUrl}${kind === 'checkout' ? '/c/' : '/c/i/'}${token}`;

/** Starts a payment at the provider, or goes on with the one that is under way. */
export async function startPayment(
  ports: Ports,
  given: Session,
  account: ProviderAccount,
  start: PaymentStart,
): Promise<PaymentStarted> {
  // The payer may have paid meanwhile, in another tab or before pressing "back".
  const session = await refreshSession(ports, given);
  let begun: BeginResult | undefined;
  const stored = await changeSession(ports, session, (current) => {
    const request = {
      id: attemptIdOfForm(current.id, start.form),
      accountId: account.id,
      provider: account.provider,
      method: start.method,
      payer: start.payer,
      language: start.language,
    };
    begun = beginAttempt(current, request, ports.clock.now(current.organizationId));
    return begun.kind === 'proceed' ? begun.session : current;
  });
  if (!stored || begun?.kind !== 'proceed')
    return { kind: begun?.kind === 'refused' && begun.reason === 'too_many' ? 'too_many' : 'refused' };
  const { attempt } = begun;
  if (attempt.payUrl) return { kind: 'go', payUrl: attempt.payUrl };
  return createAtProvider(ports, stored, account, attempt, start.language);
}

async function createAtProvider(
  ports: Ports,
  session: Session,
  account: ProviderAccount,
  attempt: Attempt,
  language: Language,
): Promise<PaymentStarted> {
  const page = pageUrl(ports.publicUrl, session);
  try {
    const created = await ports.openProvider(account).createPayment({
      idempotencyKey: attempt.id,
      amountCents: attemptCents(attempt, session),
      currency: session.currency,
      description: session.title,
      method: attempt.method,
      language,
      returnUrl: `${page}/return?attempt=${attempt.id}&lang=${language}`,
      callbackUrl: `${ports.publicUrl}/providers/${account.provider}/${session.id}/${attempt.id}`,
      testScenario: session.testScenario,
    });
    const { payUrl } = created;
    if (payUrl === null) throw new AppError('unavailable', 'unavailable', 'the provider gave no address to pay at');
    const after = await changeSession(ports, session, (current) =>
      attemptCreated(current, attempt.id, { paymentId: created.id, payUrl }, ports.clock.now(current.organizationId)),
    );
    // Only a payment that is written down is shown: what nobody knows of, nobody can pay.
    // Nor is a payment of a checkout that somebody cancelled meanwhile.
    const known = after && !after.canceledAt && findAttempt(after, attempt.id);
    return known && known.payUrl ? { kind: 'go', payUrl: known.payUrl } : { kind: 'refused' };
  } catch (error) {
    ports.report('provider_failed', { sessionId: session.id, attemptId: attempt.id, error });
    const certain = error instanceof AppError && ['invalid', 'unauthenticated', 'absent'].includes(error.kind);
    if (certain) await changeSession(ports, session, (current) => attemptAbandoned(current, attempt.id));
    return { kind: 'provider_down' };
  }
}
