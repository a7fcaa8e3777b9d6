import { backoffMs } from '@invoicing/concurrency';
import { AppError } from '@invoicing/errors';
import { attemptCents, isUnrecorded, paidAttempt, type Attempt, type InvoiceReference, type Session } from './session';
import { derivedId, surplusRefundId } from './session-events';
import { fulfilmentDone, postponeFulfilment } from './settle-session';
import { changeSession } from './change-session';
import { type Call, type Ports, type ReportedPayment } from './session-ports';

const STEP_TIMEOUT_MS = 10_000;
const RETRY_MS = [200, 500];
// A peer that restarts must find its work done within seconds; what it refuses will not get better that fast.
const AWAY_RETRY_MS = 1_000;
const REFUSED_RETRY = { firstMs: 500, longestMs: 300_000 };
/** By then it is no passing trouble: somebody has to look. */
const STUCK_TRIES = 10;

/**
 * Customer, invoice (which e-mails it), the payments on its account; what was too much goes back. Every step has an id derived from the
 * session, so the whole is simply done again until it has been done to the end: any process may die between any two steps.
 */
export async function fulfilSession(ports: Ports, session: Session): Promise<void> {
  const now = (): Date => ports.clock.now(session.organizationId);
  let invoice: InvoiceReference;
  const recorded = new Map<string, number>();
  try {
    invoice = await invoiceOf(ports, session);
    for (const attempt of session.attempts)
      if (isUnrecorded(session, attempt))
        recorded.set(attempt.id, await recordPayment(ports, session, invoice, attempt));
  } catch (error) {
    const kind = error instanceof AppError ? error.kind : 'internal';
    const tries = session.fulfilment?.tries ?? 0;
    const isAway = kind === 'unavailable' || kind === 'unfinished' || kind === 'conflict' || kind === 'busy';
    const delayMs = RETRY_MS[tries] ?? (isAway ? AWAY_RETRY_MS : backoffMs(REFUSED_RETRY, tries + 1));
    await changeSession(ports, session, (current) => postponeFulfilment(current, delayMs, now()));
    ports.report(tries < STUCK_TRIES ? 'fulfilment_delayed' : 'fulfilment_stuck', {
      sessionId: session.id,
      tries,
      delayMs,
      error,
    });
    return;
  }
  await changeSession(ports, session, (current) => fulfilmentDone(current, invoice, recorded));
  ports.report('session_fulfilled', { sessionId: session.id, invoiceId: invoice.id });
}

async function invoiceOf(ports: Ports, session: Session): Promise<InvoiceReference> {
  if (session.invoice) return session.invoice;
  const { payer, language } = paidAttempt(session) ?? {};
  if (!payer) throw new AppError('internal', 'generic', 'a paid checkout session has no payer');
  const customerId = await ports.catalog.matchCustomer(
    session.organizationId,
    payer,
    derivedId(session.id, 'customer'),
    step(ports),
  );
  return ports.billing.issueInvoice(
    {
      organizationId: session.organizationId,
      profileId: session.profileId,
      customerId,
      checkoutId: session.id,
      lines: session.lines,
      terms: session.terms ?? {},
      buyer: payer,
      prepayment: paymentOf(session, paidAttempt(session)),
      language,
    },
    derivedId(session.id, 'invoice'),
    { ...step(ports), testScenario: session.testScenario },
  );
}

/** Answers how much of it was too much; that goes back through its provider, by an entry on the account. */
async function recordPayment(
  ports: Ports,
  session: Session,
  invoice: InvoiceReference,
  attempt: Attempt,
): Promise<number> {
  const { organizationId } = session;
  const checkoutId = session.kind === 'checkout' ? session.id : null;
  const payment = paymentOf(session, attempt);
  const record = { organizationId, invoiceId: invoice.id, checkoutId, payment };
  const { entryId, surplusCents } = await ports.billing.recordPayment(record, step(ports));
  if (surplusCents === 0) return 0;
  ports.report('surplus_payment', {
    sessionId: session.id,
    attemptId: attempt.id,
    invoiceId: invoice.id,
    surplusCents,
  });
  const refund = { organizationId, invoiceId: invoice.id, entryId, amountCents: surplusCents };
  await ports.billing.refundSurplus(refund, surplusRefundId(session.id, attempt.id), step(ports));
  return surplusCents;
}

/** What the invoice is issued with and then recorded as: the same each time, so that a repeat changes nothing. */
function paymentOf(session: Session, attempt: Attempt | undefined): ReportedPayment {
  if (!attempt?.paymentId || !attempt.paidAt)
    throw new AppError('internal', 'generic', 'a paid session has no payment');
  const { provider, method, paymentId: id, paidAt } = attempt;
  return { provider, method, id, paidAt, amountCents: attemptCents(attempt, session) };
}

const step = (ports: Ports): Call => ports.newCall(STEP_TIMEOUT_MS);
