import { type Session } from '../sessions/session';
import { invoiceSessionId } from '../sessions/session-events';
import { invoiceSession } from '../sessions/invoice-session';
import { type Call, type Ports } from '../sessions/session-ports';

export type Loaded =
  | { readonly kind: 'session'; readonly session: Session }
  /** It exists, but cannot be paid here. */
  | { readonly kind: 'closed'; readonly sellerName: string; readonly paid: boolean }
  | { readonly kind: 'absent' };

/** Where a page finds its session. */
export interface SessionSource {
  load: (token: string, call: Call) => Promise<Loaded>;
  /** The session as stored; an invoice's session is only stored once somebody starts to pay. */
  store: (session: Session) => Promise<Session>;
  path: (session: Session) => string;
}

const TOKEN = /^[A-Za-z0-9_-]{16,100}$/;

/** Sessions that integrators made: `/c/<token>`. */
export const checkoutSource = ({ sessions }: Ports): SessionSource => ({
  load: async (token) => {
    const session = TOKEN.test(token) ? await sessions.findByToken(token) : null;
    return session?.kind === 'checkout' ? { kind: 'session', session } : { kind: 'absent' };
  },
  store: (session) => Promise.resolve(session),
  path: ({ token }) => `/c/${token}`,
});

/** Invoices that are paid online: `/c/i/<public token>`. */
export const invoiceSource = ({ sessions, billing, clock }: Ports): SessionSource => ({
  load: async (token, call) => {
    if (!TOKEN.test(token)) return { kind: 'absent' };
    const invoice = await billing.publicInvoice(token, call);
    if (!invoice) return { kind: 'absent' };
    const session = await sessions.find(invoice.organizationId, invoiceSessionId(invoice.id));
    if (session?.status === 'paid') return { kind: 'session', session };
    if (!invoice.payable) return { kind: 'closed', sellerName: invoice.sellerName, paid: invoice.paid };
    return { kind: 'session', session: session ?? invoiceSession(invoice, clock.now()) };
  },
  store: (session) => sessions.insert(session),
  path: ({ token }) => `/c/i/${token}`,
});
