import { Router, type Request, type Response } from 'express';
import { AppError } from '@invoicing/errors';
import { roleName, show, type Visit } from '../pages/visit';
import { fill } from '../pages/texts';
import { fieldOf } from '../pages/form-request';
import { setVisit, visitFor } from '../pages/page-server';
import type { PageBlock, SectionBlock } from '../pages/blocks';
import { acceptInvitation, completeSignIn, findInvitation, resumeSession } from './complete-sign-in';
import type { Cookies } from '../pages/cookies';
import { requestSignIn } from './request-sign-in';
import { SESSION_MS } from './session';
import { readableCode, SIGN_IN_MS, typedCode } from './sign-in-code';
import type { SignInPorts } from './sign-in-ports';

const userAgentOf = (request: Request): string => request.get('user-agent') ?? '';
// The gateway says it; nobody else reaches this port.
const clientOf = (request: Request): string => request.get('x-forwarded-for') ?? request.socket.remoteAddress ?? '';

/** Sections of the page where one signs in. */
type OtherWays = (visit: Visit) => readonly SectionBlock[];

/** Getting in: by a code, or by an invitation; `others` are the other ways. Nothing here needs a session. */
export function signInRoutes(ports: SignInPorts, cookies: Cookies, others: OtherWays): Router {
  const router = Router();
  const emailPage = emailPageWith(others, ports.isSignUpOpen);
  const enter = (response: Response, token: string, to: string): void => {
    cookies.session.write(response, token, SESSION_MS);
    cookies.signIn.clear(response);
    response.redirect(303, to);
  };

  router.get('/sign-in', (request, response) => {
    const visit = visitFor(response);
    show(response, visit, emailPage(visit, '', request.query['done'] === 'signed-out'));
  });

  router.post('/sign-in', async (request, response) => {
    const visit = visitFor(response);
    const email = fieldOf(request, 'email');
    try {
      const token = await requestSignIn(ports, { email, client: clientOf(request), language: visit.language });
      cookies.signIn.write(response, token, SIGN_IN_MS);
      response.redirect(303, '/app/sign-in/code');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'validation') throw error;
      show(response, visit, emailPage(visit, email, false, true), 400);
    }
  });

  router.get('/sign-in/code', (request, response) => {
    const visit = visitFor(response);
    const { code } = request.query;
    const given = typeof code === 'string' ? readableCode(typedCode(code)) : '';
    const hasAsked = cookies.signIn.read(request) !== undefined;
    show(response, visit, hasAsked ? codePage(visit, given === '-' ? '' : given) : otherBrowserPage(visit));
  });

  router.post('/sign-in/code', async (request, response) => {
    const visit = visitFor(response);
    const asked = cookies.signIn.read(request);
    if (asked === undefined) return show(response, visit, otherBrowserPage(visit), 403);
    const given = { token: asked, code: fieldOf(request, 'code'), userAgent: userAgentOf(request) };
    const signedIn = await completeSignIn(ports, given);
    if (!signedIn) return show(response, visit, codePage(visit, given.code, true), 400);
    return enter(response, signedIn.token, '/app');
  });

  router.get('/invitation/:token', async (request, response) => {
    const visit = visitFor(response);
    const found = await findInvitation(ports, request.params.token);
    if (!found) return show(response, visit, invitationGonePage(visit), 410);
    const { member, team } = found;
    const { name } = await ports.organization(team._id, member);
    return show(response, visit, {
      title: fill(visit.t.invitationTitle, { organization: name }),
      intro: fill(visit.t.invitationIntro, { email: member.email, role: roleName(visit.t, member.role) }),
      isNarrow: true,
      // A press, and not the opening of the link: mail servers open links, too.
      sections: [{ forms: [{ action: `/app/invitation/${request.params.token}`, submit: visit.t.accept }] }],
    });
  });

  router.post('/invitation/:token', async (request, response) => {
    const visit = visitFor(response);
    const accepted = await acceptInvitation(ports, request.params.token, userAgentOf(request));
    if (!accepted) return show(response, visit, invitationGonePage(visit), 410);
    return enter(response, accepted.token, `/app/${accepted.organizationId}`);
  });
  return router;
}

/** Whoever goes on from here is signed in. */
export function requireSession(ports: SignInPorts, cookies: Cookies): Router {
  const router = Router();
  router.use(async (request, response, next) => {
    const token = cookies.session.read(request);
    const session = token === undefined ? undefined : await resumeSession(ports, token);
    const user = session && (await ports.users.find(session.userId));
    if (!session || !user) {
      if (token !== undefined) cookies.session.clear(response);
      return response.redirect(303, '/app/sign-in');
    }
    setVisit(response, { ...visitFor(response), session, user } as Visit);
    return next();
  });
  return router;
}

const emailPageWith =
  (others: OtherWays, isSignUpOpen: boolean) =>
  (visit: Visit, email: string, isSignedOut: boolean, isWrong = false): PageBlock => {
    const page = codeFormPage(visit, email, isSignedOut, isWrong);
    const intro = isSignUpOpen ? `${page.intro} ${visit.t.signUpIntro}` : page.intro;
    return { ...page, ...(intro !== undefined && { intro }), sections: [...page.sections, ...others(visit)] };
  };

const codeFormPage = ({ t }: Visit, email: string, isSignedOut: boolean, isWrong: boolean): PageBlock => ({
  title: t.signIn,
  intro: t.signInIntro,
  isNarrow: true,
  notice: isSignedOut ? { tone: 'good', text: t.signedOut } : undefined,
  sections: [
    {
      forms: [
        {
          action: '/app/sign-in',
          submit: t.sendCode,
          fields: [
            {
              name: 'email',
              label: t.email,
              type: 'email',
              value: email,
              required: true,
              autocomplete: 'username webauthn',
              inputMode: 'email',
              maxLength: 254,
              autofocus: true,
              fault: isWrong ? t.emailWrong : undefined,
            },
          ],
        },
      ],
      passkey: {
        optionsUrl: '/app/passkey/options',
        answerUrl: '/app/passkey/sign-in',
        kind: 'get',
        label: t.signInByPasskey,
      },
    },
  ],
});

const codePage = ({ t }: Visit, code: string, isWrong = false): PageBlock => ({
  title: t.codeTitle,
  intro: t.codeIntro,
  isNarrow: true,
  sections: [
    {
      forms: [
        {
          action: '/app/sign-in/code',
          submit: t.signIn,
          fields: [
            {
              name: 'code',
              label: t.code,
              value: code,
              required: true,
              autocomplete: 'one-time-code',
              maxLength: 20,
              autofocus: true,
              fault: isWrong ? t.codeWrong : undefined,
            },
          ],
        },
      ],
      actions: [{ label: t.askAgain, href: '/app/sign-in' }],
    },
  ],
});

const otherBrowserPage = ({ t }: Visit): PageBlock => ({
  title: t.otherBrowserTitle,
  intro: t.otherBrowser,
  isNarrow: true,
  sections: [{ actions: [{ label: t.askAgain, href: '/app/sign-in' }] }],
});

const invitationGonePage = ({ t }: Visit): PageBlock => ({
  title: t.invitationGone,
  intro: t.invitationGoneText,
  isNarrow: true,
  sections: [{ actions: [{ label: t.signIn, href: '/app/sign-in' }] }],
});
