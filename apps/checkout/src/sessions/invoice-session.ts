import { type Session } from './session';
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
