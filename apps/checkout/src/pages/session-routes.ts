import express, { Router, type Request, type Response } from 'express';
import { CoalescedRuns } from '@invoicing/concurrency';
import { isLive, type Session } from '../sessions/session';
import { refreshSession } from '../sessions/refresh-payment';
import { PAGE_TIMEOUT_MS, within } from './page-request';
import { paySession } from './pay-session';
import { stateOf } from './session-page';
import {
  brandOfInvoice,
  brandOfSession,
  languageOfPage,
  showSession,
  showUnpayable,
  type AskedSession,
  type SessionPagesPorts,
} from './show-session';

/** The hosted page of a session under `/<token>`: form, return from the provider, result. Works without script. */
export function sessionRoutes(pages: SessionPagesPorts): Router {
  const { ports, source } = pages;
  const router = Router();
  const coalesced = new CoalescedRuns<Session>();

  router.get('/:token', async (request, response) => {
    const asked = await load(request, response);
    if (asked) await showSession(pages, { ...asked, session: await fresh(asked.session) }, request, response);
  });

  // The provider sends the payer here whatever happened; the page behind it asks the provider.
  router.get('/:token/return', async (request, response) => {
    const asked = await load(request, response);
    if (!asked) return;
    await fresh(asked.session);
    response.redirect(303, `${source.path(asked.session)}?lang=${languageOfPage(request, asked)}`);
  });

  router.get('/:token/logo', async (request, response, next) => {
    const found = await source.load(request.params.token, ports.newCall(PAGE_TIMEOUT_MS));
    if (found.kind === 'absent') return next();
    const of = found.kind === 'session' ? brandOfSession(found.session) : brandOfInvoice(found.invoice);
    const { logo } = (await pages.brandOf(of)).brand;
    if (!logo) return next();
    response.set('cache-control', 'private, max-age=3600').type(logo.type).send(Buffer.from(logo.content));
  });

  router.get('/:token/status', async (request, response) => {
    const found = await source.load(request.params.token, ports.newCall(PAGE_TIMEOUT_MS));
    if (found.kind !== 'session') response.status(404).json({ state: 'unknown' });
    else response.json({ state: stateOf(await fresh(found.session), ports.clock.now(found.session.organizationId)) });
  });

  router.post('/:token', express.urlencoded({ extended: false, limit: '32kb' }), async (request, response) => {
    const asked = await load(request, response);
    if (asked) await paySession(pages, asked, request, response);
  });
  return router;

  async function load(request: Request<{ token: string }>, response: Response): Promise<AskedSession | null> {
    const found = await source.load(request.params.token, ports.newCall(PAGE_TIMEOUT_MS));
    if (found.kind === 'session') return found;
    await showUnpayable(pages, found, request, response);
    return null;
  }

  /** The session as the provider knows it. A provider that does not answer changes nothing: what is stored is shown. */
  function fresh(session: Session): Promise<Session> {
    if (!session.attempts.some((attempt) => isLive(attempt) && attempt.paymentId)) return Promise.resolve(session);
    const asked = coalesced.run(session.id, () => refreshSession(ports, session));
    return within(PAGE_TIMEOUT_MS, asked, session);
  }
}
