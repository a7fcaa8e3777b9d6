import { randomUUID } from 'node:crypto';
import express, { Router, type Request, type Response } from 'express';
import { CoalescedRuns } from '@invoicing/concurrency';
import { payingAccount } from '../providers/paying-account';
import { checkPayer, needsVatId, prefilledForm, type PayerForm } from '../sessions/payer-form';
import { amountOf, isLive, type Session } from '../sessions/session';
import { type Ports, type ProviderAccount } from '../sessions/session-ports';
import { refreshSession } from '../sessions/refresh-payment';
import { startPayment } from '../sessions/start-payment';
import {
  closedPage,
  formPage,
  paidPage,
  pendingPage,
  stateOf,
  type Offer,
  type PageContext,
  type PageState,
  type Refusal,
} from './session-page';
import { languageOf, type Language } from './texts';
import { type SessionSource } from './session-sources';

const PAGE_TIMEOUT_MS = 5_000;
const NO_SELLER = { sellerName: '' };

export interface SessionRoutesOptions {
  readonly ports: Ports;
  readonly source: SessionSource;
  /** Where browsers may send the pay form on to. */
  readonly formTargets: (account: ProviderAccount) => readonly string[];
}

/** The hosted page of a session under `/<token>`: form, return from the provider, result. Works without script. */
export function sessionRoutes({ ports, source, formTargets }: SessionRoutesOptions): Router {
  const router = Router();
  const coalesced = new CoalescedRuns<Session>();

  router.get('/:token', async (request, response) => {
    const session = await load(request, response);
    if (session) await show(await fresh(session), request, response);
  });

  // The provider sends the payer here whatever happened; the page behind it knows the truth.
  router.get('/:token/return', async (request, response) => {
    const session = await load(request, response);
    if (!session) return;
    await fresh(session);
    response.redirect(303, `${source.path(session)}?lang=${language(request)}`);
  });

  router.get('/:token/status', async (request, response) => {
    const found = await source.load(request.params.token, ports.newCall(PAGE_TIMEOUT_MS));
    if (found.kind !== 'session') response.status(404).json({ state: 'unknown' });
    else response.json({ state: state(await fresh(found.session)) });
  });

  router.post('/:token', express.urlencoded({ extended: false, limit: '32kb' }), async (request, response) => {
    const session = await load(request, response);
    if (session) await pay(session, request, response);
  });
  return router;

  async function load(request: Request<{ token: string }>, response: Response): Promise<Session | null> {
    const found = await source.load(request.params.token, ports.newCall(PAGE_TIMEOUT_MS));
    if (found.kind === 'session') return found.session;
    const isAbsent = found.kind === 'absent';
    const kind = isAbsent ? 'notFound' : found.paid ? 'settled' : 'closed';
    const html = closedPage(kind, isAbsent ? NO_SELLER : found, context(request, ''));
    // Paid already is what everybody wants, not a failure.
    response.status(isAbsent ? 404 : found.paid ? 200 : 409).send(html);
    return null;
  }

  /** The session as the provider knows it. A provider that does not answer changes nothing: what is stored is shown. */
  function fresh(session: Session): Promise<Session> {
    if (!session.attempts.some((attempt) => isLive(attempt) && attempt.paymentId)) return Promise.resolve(session);
    const asked = coalesced.run(session.id, () => refreshSession(ports, session));
    return within(PAGE_TIMEOUT_MS, asked, session);
  }

  async function show(session: Session, request: Request, response: Response, refusal?: Refusal): Promise<void> {
    const here = context(request, source.path(session));
    const now = state(session);
    if (now === 'paid' || now === 'settling') response.send(paidPage(session, here));
    else if (now === 'pending') response.send(pendingPage(session, here));
    else if (now === 'expired') response.status(410).send(closedPage('expired', session, here));
    else {
      const account = await accountOf(session);
      const offer = await offerOf(session, account, here.language);
      if (account) allowFormTargets(response, formTargets(account));
      response.status(statusOf(refusal)).send(formPage(session, offer, here, refusal));
    }
  }

  function accountOf({ organizationId }: Session): Promise<ProviderAccount | null> {
    return payingAccount(ports, organizationId, ports.newCall(PAGE_TIMEOUT_MS));
  }

  async function offerOf(session: Session, account: ProviderAccount | null, language: Language): Promise<Offer> {
    if (!account) return { kind: 'none_connected' };
    try {
      const listed = ports.openProvider(account).listMethods(amountOf(session), session.currency, language);
      const methods = await within(PAGE_TIMEOUT_MS, listed, null);
      if (!methods) return { kind: 'down' };
      const offered = methods.filter(({ id }) => session.methods.length === 0 || session.methods.includes(id));
      return { kind: 'methods', methods: offered };
    } catch (error) {
      ports.report('provider_failed', { sessionId: session.id, error });
      return { kind: 'down' };
    }
  }

  async function pay(session: Session, request: Request, response: Response): Promise<void> {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
    const values = formOf(text, session);
    const method = text('method');
    const refuse = (reason: Refusal['reason'], faults: Refusal['faults'] = {}): Promise<void> =>
      show(session, request, response, { values, method, faults, reason });

    if (state(session) !== 'open') return show(session, request, response);
    const account = await accountOf(session);
    const offer = await offerOf(session, account, language(request));
    if (!account || offer.kind === 'none_connected') return show(session, request, response);
    if (offer.kind === 'down') return refuse('down');

    const checked = session.kind === 'invoice' ? { payer: null, faults: null } : checkPayer(values, session);
    if (checked.faults) return refuse(method === '' ? 'method_missing' : 'fields', checked.faults);
    if (method === '') return refuse('method_missing');
    if (!offer.methods.some(({ id }) => id === method)) return refuse('method_gone');

    const stored = await source.store(session);
    const started = await startPayment(ports, stored, account, {
      form: text('form').slice(0, 100) || randomUUID(),
      method,
      payer: checked.payer,
      language: language(request),
    });
    if (started.kind === 'provider_down') return refuse('down');
    if (started.kind === 'too_many') return refuse('too_many');
    if (started.kind === 'go') return response.redirect(303, started.payUrl);
    return response.redirect(303, `${source.path(session)}?lang=${language(request)}`);
  }

  function state(session: Session): PageState {
    return stateOf(session, ports.clock.now());
  }

  function context(request: Request, path: string): PageContext {
    return { language: language(request), path, publicUrl: ports.publicUrl, formId: randomUUID() };
  }
}

const language = (request: Request): Language => languageOf(request.query['lang'], request.get('accept-language'));

const statusOf = (refusal: Refusal | undefined): number => {
  if (!refusal) return 200;
  return refusal.reason === 'down' ? 503 : 422;
};

/** Fields that the form did not carry keep what was known before. */
function formOf(text: (name: string) => string, session: Session): PayerForm {
  const companiesOnly = needsVatId(session);
  const known = prefilledForm(session.prefill);
  return {
    type: text('type') === 'company' || companiesOnly ? 'company' : 'person',
    name: text('name'),
    email: text('email'),
    companyName: text('companyName'),
    addressLine1: text('addressLine1'),
    postalCode: text('postalCode'),
    city: text('city'),
    countryCode: text('countryCode') || known.countryCode,
    btwId: text('btwId'),
    kvkNumber: text('kvkNumber'),
  };
}

const allowFormTargets = (response: Response, targets: readonly string[]): void => {
  const policy = String(response.getHeader('content-security-policy'));
  response.setHeader(
    'content-security-policy',
    policy.replace("form-action 'self'", ["form-action 'self'", ...targets].join(' ')),
  );
};

const within = <T>(timeoutMs: number, work: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([work, new Promise<T>((resolve) => setTimeout(resolve, timeoutMs, otherwise).unref())]);
