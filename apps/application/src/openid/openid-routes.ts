import { Router, type Request } from 'express';
import { AppError } from '@invoicing/errors';
import type { PageBlock, SectionBlock } from '../pages/blocks';
import type { Cookies } from '../pages/cookies';
import { visitFor } from '../pages/page-server';
import { fill } from '../pages/texts';
import { show, type Visit } from '../pages/visit';
import { SESSION_MS } from '../sign-in/session';
import { LIMIT_WINDOW_MS, MAX_PER_CLIENT } from '../sign-in/sign-in-code';
import type { SignInPorts } from '../sign-in/sign-in-ports';
import type { OpenidProvider } from './openid-provider';
import { askOpenid, OPENID_MS, signInByOpenid, type OpenidResult } from './openid-sign-in';

/** Signing in at a company's own sign-in. Nothing here needs a session. */
export function openidRoutes(ports: SignInPorts, providers: readonly OpenidProvider[], cookies: Cookies): Router {
  const router = Router();
  const named = ({ params }: Request): OpenidProvider | undefined => providers.find(({ id }) => id === params['id']);
  const clientOf = (request: Request): string => request.get('x-forwarded-for') ?? request.socket.remoteAddress ?? '';

  // A link, and no form: the page's own policy lets no form lead to another site. Whoever is made to follow it is asked there.
  router.get('/openid/:id', async (request, response, next) => {
    const provider = named(request);
    if (!provider) return next();
    const { limits, clock, hashOf } = ports;
    const key = `openid:${hashOf(clientOf(request))}`;
    if (!(await limits.take(key, MAX_PER_CLIENT, LIMIT_WINDOW_MS, clock.now())))
      throw new AppError('exhausted', 'rate_limited', 'too many attempts to sign in');
    const { token, url } = await askOpenid(ports, provider);
    cookies.challenge.write(response, token, OPENID_MS);
    return response.redirect(303, url);
  });

  router.get('/openid/:id/callback', async (request, response, next) => {
    const provider = named(request);
    if (!provider) return next();
    const visit = visitFor(response);
    const token = cookies.challenge.read(request) ?? '';
    cookies.challenge.clear(response);
    const [, query = ''] = /^[^?]*(\?.*)?$/.exec(request.originalUrl) ?? [];
    const given = { token, query, userAgent: request.get('user-agent') ?? '' };
    const result = await signInByOpenid(ports, provider, given);
    if (typeof result === 'string') return show(response, visit, refusedPage(visit, provider, result), 403);
    cookies.session.write(response, result.token, SESSION_MS);
    return response.redirect(303, '/app');
  });
  return router;
}

function refusedPage({ t }: Visit, { name }: OpenidProvider, why: Extract<OpenidResult, string>): PageBlock {
  const intro = { refused: t.openidRefused, unverified: t.openidUnverified, unknown: t.openidUnknown }[why];
  return {
    ...{ title: t.openidTitle, intro: fill(intro, { name }), isNarrow: true },
    sections: [{ actions: [{ label: t.signIn, href: '/app/sign-in' }] }],
  };
}

/** On the page where one signs in: a way for each company. */
export const openidSections = (
  { t }: Visit,
  providers: readonly Pick<OpenidProvider, 'id' | 'name'>[],
): readonly SectionBlock[] =>
  providers.length === 0
    ? []
    : [
        {
          title: t.openid,
          actions: providers.map(({ id, name }) => ({
            label: fill(t.openidSignIn, { name }),
            href: `/app/openid/${id}`,
          })),
        },
      ];
