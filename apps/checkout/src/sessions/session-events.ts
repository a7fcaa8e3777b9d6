import { v5 as uuidv5 } from 'uuid';
import { type TestScenario } from '@invoicing/rules';
import { type Session } from './session';

/** Told by the same write that makes it true. */
export interface SessionEvent {
  readonly type: 'checkout.paid' | 'checkout.expired';
  readonly id: string;
  readonly at: Date;
  readonly organizationId: string;
  readonly checkoutId: string;
  readonly amountCents: number;
  readonly currency: string;
  /** Of one that is over. */
  readonly expiresAt: Date | undefined;
  readonly testScenario: TestScenario | undefined;
}

/** Ids of what follows a session are derived from it, so that doing a step again meets what the first time made. */
export const derivedId = (sessionId: string, what: 'event' | 'expired' | 'customer' | 'invoice'): string =>
  uuidv5(what, sessionId);

/** The refund of what was too much of an attempt. */
export const surplusRefundId = (sessionId: string, attemptId: string): string =>
  uuidv5(`surplus of ${attemptId}`, sessionId);

/** The session of an invoice that is paid online. */
export const invoiceSessionId = (invoiceId: string): string => uuidv5('online-payment', invoiceId);

/** Attempts are named by the form that started them. */
export const attemptIdOfForm = (sessionId: string, form: string): string => uuidv5(form, sessionId);

/** What a step of a checkout session tells: at most once that it is over, and once that it is paid, even after that. */
export function eventOf(before: Session, after: Session, now: Date): SessionEvent | null {
  if (after.kind !== 'checkout' || before.status === after.status || after.status === 'open') return null;
  return {
    type: after.status === 'paid' ? 'checkout.paid' : 'checkout.expired',
    id: derivedId(after.id, after.status === 'paid' ? 'event' : 'expired'),
    at: now,
    organizationId: after.organizationId,
    checkoutId: after.id,
    amountCents: after.totals.inclCents,
    currency: after.currency,
    // One that was cancelled ended before its time.
    expiresAt: after.canceledAt ?? after.expiresAt ?? undefined,
    testScenario: after.testScenario,
  };
}
