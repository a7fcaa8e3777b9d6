import { randomUUID } from 'node:crypto';
import { type Request, type Response } from 'express';
import { type Session } from '../sessions/session';
import { type Ports, type ProviderAccount } from '../sessions/session-ports';
import { languageOfRequest } from './page-request';
import { offerOf } from './payment-offer';
import { closedPage, formPage, paidPage, pendingPage, stateOf, type PageContext, type Refusal } from './session-page';
import { type Loaded, type SessionSource } from './session-sources';

/** What the pages of sessions are made with. */
export interface SessionPagesPorts {
  readonly ports: Ports;
  readonly source: SessionSource;
  /** Where browsers may send the pay form on to. */
  readonly formTargets: (account: ProviderAccount) => readonly string[];
}

const NO_SELLER = { sellerName: '' };

/** Answers with the page of a session as it is now; `refusal`: why what was just sent did not start a payment. */
export async function showSession(
  { ports, source, formTargets }: SessionPagesPorts,
  session: Session,
  request: Request,
  response: Response,
  refusal?: Refusal,
): Promise<void> {
  const here = contextOf(ports, request, source.path(session));
  const state = stateOf(session, ports.clock.now(session.organizationId));
  if (state === 'paid' || state === 'settling') return void response.send(paidPage(session, here));
  if (state === 'pending') return void response.send(pendingPage(session, here));
  if (state === 'expired' || state === 'withdrawn')
    return void response.status(410).send(closedPage(state, session, here));
  const { account, offer } = await offerOf(ports, session, here.language);
  if (account) allowFormTargets(response, formTargets(account));
  response.status(statusOf(refusal)).send(formPage(session, offer, here, refusal));
}

/** Answers that there is nothing to pay at this address. */
export function showUnpayable(
  { ports }: SessionPagesPorts,
  found: Exclude<Loaded, { kind: 'session' }>,
  request: Request,
  response: Response,
): void {
  const isAbsent = found.kind === 'absent';
  const kind = isAbsent ? 'notFound' : found.paid ? 'settled' : 'closed';
  const html = closedPage(kind, isAbsent ? NO_SELLER : found, contextOf(ports, request, ''));
  // Paid already is what everybody wants, not a failure.
  response.status(isAbsent ? 404 : found.paid ? 200 : 409).send(html);
}

const contextOf = ({ publicUrl }: Ports, request: Request, path: string): PageContext => ({
  language: languageOfRequest(request),
  path,
  publicUrl,
  formId: randomUUID(),
});

const statusOf = (refusal: Refusal | undefined): number => {
  if (!refusal) return 200;
  return refusal.reason === 'down' ? 503 : 422;
};

function allowFormTargets(response: Response, targets: readonly string[]): void {
  const policy = String(response.getHeader('content-security-policy'));
  response.setHeader(
    'content-security-policy',
    policy.replace("form-action 'self'", ["form-action 'self'", ...targets].join(' ')),
  );
}
