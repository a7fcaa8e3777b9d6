import { Router, type Request, type Response } from 'express';
import { AppError } from '@invoicing/errors';
import type { PageBlock, SectionBlock } from '../pages/blocks';
import { plain } from '../pages/blocks';
import type { Cookies } from '../pages/cookies';
import { fieldOf } from '../pages/form-request';
import { moment } from '../pages/format';
import { visitFor } from '../pages/page-server';
import { show, type SignedInVisit, type Visit } from '../pages/visit';
import { SESSION_MS } from '../sign-in/session';
import { LIMIT_WINDOW_MS, MAX_PER_CLIENT } from '../sign-in/sign-in-code';
import type { SignInPorts } from '../sign-in/sign-in-ports';
import { addPasskey, askNewPasskey, askPasskey, CHALLENGE_MS, signInByPasskey, type Asked } from './passkey';
import type { Passkey } from './passkey-store';

const userAgentOf = (request: Request): string => request.get('user-agent') ?? '';
const clientOf = (request: Request): string => request.get('x-forwarded-for') ?? request.socket.remoteAddress ?? '';

/** What the browser's script says, in the one field of its form. */
function answerIn(request: Request): unknown {
  try {
    return JSON.parse(fieldOf(request, 'response'));
  } catch {
    return undefined;
  }
}

function answerWith(cookies: Cookies, response: Response, { token, options }: Asked): void {
  cookies.challenge.write(response, token, CHALLENGE_MS);
  response.json(options);
}

/** Signing in by a passkey: nothing here needs a session. */
export function passkeySignInRoutes(ports: SignInPorts, cookies: Cookies): Router {
  const router = Router();
  router.post('/passkey/options', async (request, response) => {
    const { limits, clock, hashOf } = ports;
    const key = `passkey:${hashOf(clientOf(request))}`;
    if (!(await limits.take(key, MAX_PER_CLIENT, LIMIT_WINDOW_MS, clock.now())))
      throw new AppError('exhausted', 'rate_limited', 'too many attempts to sign in');
    answerWith(cookies, response, await askPasskey(ports));
  });

  router.post('/passkey/sign-in', async (request, response) => {
    const visit = visitFor(response);
    const token = cookies.challenge.read(request) ?? '';
    cookies.challenge.clear(response);
    const given = { token, response: answerIn(request), userAgent: userAgentOf(request) };
    const signedIn = await signInByPasskey(ports, given);
    if (!signedIn) return show(response, visit, refusedPage(visit), 403);
    cookies.session.write(response, signedIn.token, SESSION_MS);
    return response.redirect(303, '/app');
  });
  return router;
}

/** One's own passkeys. */
export function passkeyRoutes(ports: SignInPorts, cookies: Cookies): Router {
  const router = Router();
  router.post('/account/passkeys/options', async (_request, response) => {
    answerWith(cookies, response, await askNewPasskey(ports, (visitFor(response) as SignedInVisit).user));
  });

  router.post('/account/passkeys', async (request, response) => {
    const visit = visitFor(response) as SignedInVisit;
    const token = cookies.challenge.read(request) ?? '';
    cookies.challenge.clear(response);
    const given = { token, response: answerIn(request), userAgent: userAgentOf(request) };
    if (!(await addPasskey(ports, visit.user, given))) return show(response, visit, refusedPage(visit), 403);
    return response.redirect(303, '/app/account?done=yes');
  });

  router.post('/account/passkeys/remove', async (request, response) => {
    const { user } = visitFor(response) as SignedInVisit;
    await ports.passkeys.remove(user._id, fieldOf(request, 'passkey'));
    response.redirect(303, '/app/account?done=yes');
  });
  return router;
}

const refusedPage = ({ t }: Visit): PageBlock => ({
  title: t.passkeyRefused,
  intro: t.passkeyRefusedText,
  isNarrow: true,
  sections: [{ actions: [{ label: t.signIn, href: '/app/sign-in' }] }],
});

/** On one's own page: those that there are, and the way to one more. */
export const passkeysSection = ({ t, language }: SignedInVisit, passkeys: readonly Passkey[]): SectionBlock => ({
  title: t.passkeys,
  text: t.passkeysText,
  table: {
    caption: t.passkeys,
    columns: [{ label: t.device }, { label: t.since }, { label: t.lastSeen }, { label: t.removePasskey }],
    rows: passkeys.map(({ id, device, createdAt, lastUsedAt }) => [
      plain(device || t.none),
      plain(moment(createdAt, language)),
      plain(moment(lastUsedAt, language) || t.never),
      {
        text: '',
        form: { action: '/app/account/passkeys/remove', submit: t.removePasskey, tone: '', hidden: { passkey: id } },
      },
    ]),
    empty: t.noPasskeys,
  },
  passkey: {
    optionsUrl: '/app/account/passkeys/options',
    answerUrl: '/app/account/passkeys',
    kind: 'create',
    label: t.addPasskey,
  },
});
