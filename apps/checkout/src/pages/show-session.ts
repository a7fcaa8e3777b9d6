import { randomUUID } from 'node:crypto';
import { type Request, type Response } from 'express';
import { isLanguage } from '@invoicing/design';
import { type Session } from '../sessions/session';
import { type PayableInvoice, type Ports, type ProviderAccount } from '../sessions/session-ports';
import { languageOfRequest } from './page-request';
import { offerOf } from './payment-offer';
import { nobodys, type BrandOf, type ShownBrand } from './session-brand';
import { closedPage, formPage, paidPage, pendingPage, stateOf, type PageContext, type Refusal } from './session-page';
import { type Loaded, type SessionSource } from './session-sources';

/** What the pages of sessions are made with. */
export interface SessionPagesPorts {
  readonly ports: Ports;
  readonly source: SessionSource;
  readonly brandOf: (of: BrandOf) => Promise<ShownBrand>;
  /** Where browsers may send the pay form on to. */
  readonly formTargets: (account: ProviderAccount) => readonly string[];
}

/** A session as a page asks for it, and the language of the invoice that it pays. */
export interface AskedSession {
  readonly session: Session;
  readonly language?: string | undefined;
}

/** Of a checkout its profile's brand, until there is an invoice; of an invoice the one that it was issued with. */
export const brandOfSession = ({ organizationId, profileId, sellerName, invoice }: Session): BrandOf => ({
  ...{ organizationId, profileId, sellerName },
  invoiceId: invoice?.id ?? null,
});

/** Answers with the page of a session as it is now; `refusal`: why what was just sent did not start a payment. */
export async function showSession(
  pages: SessionPagesPorts,
  asked: AskedSession,
  request: Request,
  response: Response,
  refusal?: Refusal,
): Promise<void> {
  const { ports, source, formTargets } = pages;
  const { session } = asked;
  const here: PageContext = {
    ...(await pages.brandOf(brandOfSession(session))),
    language: languageOfPage(request, asked),
    path: source.path(session),
    publicUrl: ports.publicUrl,
    sellerName: session.sellerName,
  };
  const state = stateOf(session, ports.clock.now(session.organizationId));
  if (state === 'paid' || state === 'settling') return void response.send(paidPage(session, here));
  if (state === 'pending') return void response.send(pendingPage(session, here));
  if (state === 'expired' || state === 'withdrawn')
    return void response.status(410).send(closedPage(state, here, session.redirectUrl));
  const { account, offer } = await offerOf(ports, session, here.language);
  if (account) allowFormTargets(response, formTargets(account));
  response.status(statusOf(refusal)).send(formPage(session, offer, { ...here, formId: randomUUID() }, refusal));
}

/** Answers that there is nothing to pay at this address. */
export async function showUnpayable(
  pages: SessionPagesPorts,
  found: Exclude<Loaded, { kind: 'session' }>,
  request: Request,
  response: Response,
): Promise<void> {
  const { publicUrl } = pages.ports;
  if (found.kind === 'absent') {
    const here = { ...nobodys(languageOfRequest(request)), path: '', publicUrl };
    return void response.status(404).send(closedPage('notFound', here));
  }
  const { invoice } = found;
  const language = languageOfRequest(request, invoice.language);
  const { sellerName, paid } = invoice;
  const here = { ...(await pages.brandOf(brandOfInvoice(invoice))), language, path: '', publicUrl, sellerName };
  // Paid already is what everybody wants, not a failure.
  response.status(paid ? 200 : 409).send(closedPage(paid ? 'settled' : 'closed', here));
}

/** As it was when the invoice was issued. */
export const brandOfInvoice = ({ organizationId, profileId, sellerName, id }: PayableInvoice): BrandOf => ({
  ...{ organizationId, profileId, sellerName },
  invoiceId: id,
});

/** The language in which the payer sends the form to have it back wins: what was typed comes along. */
export function languageOfPage(request: Request, { session, language }: AskedSession) {
  const { language: wished } = (request.body ?? {}) as { readonly language?: unknown };
  return isLanguage(wished) ? wished : languageOfRequest(request, language, session.prefill.countryCode);
}

const statusOf = (refusal: Refusal | undefined): number => {
  if (!refusal || refusal.reason === 'language') return 200;
  return refusal.reason === 'down' ? 503 : 422;
};

function allowFormTargets(response: Response, targets: readonly string[]): void {
  const policy = String(response.getHeader('content-security-policy'));
  response.setHeader(
    'content-security-policy',
    policy.replace("form-action 'self'", ["form-action 'self'", ...targets].join(' ')),
  );
}
