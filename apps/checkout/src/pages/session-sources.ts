import { type Session } from '../sessions/session';
import { changeSession } from '../sessions/change-session';
import { askFor, invoiceSession } from '../sessions/invoice-session';
import { type Call, type PayableInvoice, type Ports } from '../sessions/session-ports';

export type Loaded =
  /** `language`: of the invoice that it pays. */
  | { readonly kind: 'session'; readonly session: Session; readonly language?: string }
  /** It exists, but cannot be paid here. */
  | { readonly kind: 'closed'; readonly invoice: PayableInvoice }
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
export const invoiceSource = (ports: Ports): SessionSource => ({
  load: async (token, call) => {
    if (!TOKEN.test(token)) return { kind: 'absent' };
    // Before its account: what came in between is not asked for once more.
    const stored = await ports.sessions.findByToken(token);
    const invoice = await ports.billing.publicInvoice(token, call);
    if (!invoice) return { kind: 'absent' };
    const { openCents, language } = invoice;
    if (!stored) {
      if (openCents <= 0) return { kind: 'closed', invoice };
      return { kind: 'session', session: invoiceSession(invoice, ports.clock.now(invoice.organizationId)), language };
    }
    const session = (await changeSession(ports, stored, (current) => askFor(current, openCents, stored))) ?? stored;
    const isUnderWay = session.status === 'paid' || session.attempts.some(({ status }) => status === 'pending');
    if (openCents <= 0 && !isUnderWay) return { kind: 'closed', invoice };
    return { kind: 'session', session, language };
  },
  store: (session) => ports.sessions.insert(session),
  path: ({ token }) => `/c/i/${token}`,
});
