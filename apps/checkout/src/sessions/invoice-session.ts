import { amountOf, type Session } from './session';
import { invoiceSessionId } from './session-events';
import { type PayableInvoice } from './session-ports';

/** The session that pays an invoice. Its id is the invoice's, so that there is one however many payers open the page. */
export const invoiceSession = (invoice: PayableInvoice, now: Date): Session => ({
  id: invoiceSessionId(invoice.id),
  kind: 'invoice',
  organizationId: invoice.organizationId,
  profileId: invoice.profileId,
  token: invoice.publicToken,
  title: invoice.number,
  sellerName: invoice.sellerName,
  lines: invoice.lines,
  totals: invoice.totals,
  ...(Object.keys(invoice.terms).length > 0 && { terms: invoice.terms }),
  askCents: invoice.openCents,
  currency: invoice.currency,
  redirectUrl: null,
  methods: [],
  prefill: {},
  status: 'open',
  createdAt: now,
  expiresAt: null,
  attempts: [],
  paidAttemptId: null,
  paidAt: null,
  fulfilment: null,
  invoice: { id: invoice.id, number: invoice.number, publicToken: invoice.publicToken },
  revision: 0,
});

/**
 * The same session, asking for what is open of its invoice. One that was paid asks again when its payment is on the account and money is
 * open all the same: it went back, or was no more than a part. `seen`: the session as it was before the account was read, so that a
 * payment that came in between is not asked for once more.
 */
export function askFor(session: Session, openCents: number, seen: Pick<Session, 'paidAttemptId'>): Session {
  const isOpenAgain =
    session.status === 'paid' && session.fulfilment?.status === 'done' && session.paidAttemptId === seen.paidAttemptId;
  if (openCents <= 0 || (session.status !== 'open' && !isOpenAgain)) return session;
  if (session.status === 'open' && amountOf(session) === openCents) return session;
  return { ...session, status: 'open', paidAttemptId: null, paidAt: null, askCents: openCents };
}
