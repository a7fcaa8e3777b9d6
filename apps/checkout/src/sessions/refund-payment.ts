import { AppError } from '@invoicing/errors';
import { changeSession } from './change-session';
import { type Movement } from './movement';
import { type Attempt, type Session } from './session';
import { invoiceSessionId } from './session-events';
import { type Ports } from './session-ports';
import { paymentWatched } from './watch-payment';

export interface RefundAsk {
  readonly organizationId: string;
  readonly invoiceId: string;
  /** The session that the payment was made in; undefined: the invoice's own. */
  readonly checkoutId?: string | undefined;
  readonly provider: string;
  readonly paymentId: string;
  /** Of the refund on the invoice's account: one refund at the provider for each. */
  readonly entryId: string;
  readonly amountCents: number;
}

/** The provider's id of the refund, or why it will never be made. */
export type RefundResult = { readonly refundId: string } | { readonly refused: string };

/**
 * Gives money of a payment back at its provider; the same entry again answers the refund that is there. Billing holds the ask and repeats it
 * until it is answered, so that nothing of it is kept here but what the provider did.
 */
export async function refundPayment(ports: Ports, ask: RefundAsk): Promise<RefundResult> {
  const session = await ports.sessions.find(ask.organizationId, ask.checkoutId ?? invoiceSessionId(ask.invoiceId));
  const attempt = session?.attempts.find(
    ({ provider, paymentId }) => provider === ask.provider && paymentId === ask.paymentId,
  );
  const account = attempt && (await ports.accounts.find(ask.organizationId, attempt.accountId));
  if (!session || !attempt || !account) return { refused: 'the payment was not made here' };
  const { paymentId, amountCents, entryId } = ask;
  const fields = { sessionId: session.id, attemptId: attempt.id, paymentId, entryId, amountCents };
  try {
    const wanted = { paymentId, amountCents, currency: session.currency, entryId, description: session.title };
    const made = await ports.openProvider(account).refund(wanted);
    await remember(ports, session, attempt, made);
    ports.report('money_went_back', { ...fields, kind: 'refund' });
    return { refundId: made.id };
  } catch (error) {
    if (!(error instanceof AppError) || (error.kind !== 'invalid' && error.kind !== 'absent')) throw error;
    // The provider will not do it, ever.
    ports.report('refund_refused', { ...fields, error });
    return { refused: error.publicMessage };
  }
}

/**
 * So that it is looked at again: a refund may fail at the payer's bank, days later. Billing is told here that it was made, and no more: one that
 * has failed by now is remembered as made, so that the next look finds and tells it.
 */
const remember = async (ports: Ports, session: Session, attempt: Attempt, made: Movement): Promise<unknown> => {
  const told = { ...made, undone: false };
  return changeSession(ports, session, (current) =>
    paymentWatched(current, attempt.id, [told], ports.clock.now(current.organizationId)),
  );
};
