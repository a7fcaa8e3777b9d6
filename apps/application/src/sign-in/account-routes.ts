import { Router } from 'express';
import { isActive, type Team } from '../people/team';
import { linked, plain, type PageBlock, type SectionBlock } from '../pages/blocks';
import { moment } from '../pages/format';
import { visitFor } from '../pages/page-server';
import { fill } from '../pages/texts';
import { callFor, roleName, show, type SignedInVisit } from '../pages/visit';
import type { Peers } from '../peers-client';
import type { Cookies } from '../pages/cookies';
import { fieldOf } from '../pages/form-request';
import { passkeysSection } from '../passkeys/passkey-routes';
import type { Session } from './session';
import type { SignInPorts } from './sign-in-ports';

interface Membership {
  readonly team: Team;
  readonly name: string;
  readonly role: string;
}

/** Everything of one's own: which organisation, where one is signed in, out again. */
export function accountRoutes(ports: SignInPorts, peers: Pick<Peers, 'organizations'>, cookies: Cookies): Router {
  const router = Router();
  const leave = (response: Parameters<Cookies['session']['clear']>[0]): void => {
    cookies.session.clear(response);
    response.redirect(303, '/app/sign-in?done=signed-out');
  };

  router.get('/', async (_request, response) => {
    const visit = visitFor(response) as SignedInVisit;
    const memberships = await membershipsOf(visit);
    if (memberships.length === 1) return response.redirect(303, `/app/${memberships[0]!.team._id}`);
    if (memberships.length === 0 && ports.isSignUpOpen) return response.redirect(303, '/app/new-organization');
    return show(response, visit, choicePage(visit, memberships, ports.isSignUpOpen));
  });

  router.get('/account', async (request, response) => {
    const visit = visitFor(response) as SignedInVisit;
    const [sessions, passkeys, memberships] = await Promise.all([
      ports.sessions.ofUser(visit.user._id),
      ports.passkeys.ofUser(visit.user._id),
      membershipsOf(visit),
    ]);
    const table = organizations(visit.t, memberships, ports.isSignUpOpen);
    const page = accountPage(visit, sessions, table, request.query['done'] === 'yes');
    show(response, visit, { ...page, sections: [...page.sections, passkeysSection(visit, passkeys)] });
  });

  router.post('/account/end-session', async (request, response) => {
    const { user, session } = visitFor(response) as SignedInVisit;
    const id = fieldOf(request, 'session');
    await ports.sessions.end(user._id, id);
    if (id === session.id) return leave(response);
    return response.redirect(303, '/app/account?done=yes');
  });

  router.post('/sign-out', async (_request, response) => {
    const { user, session } = visitFor(response) as SignedInVisit;
    await ports.sessions.end(user._id, session.id);
    leave(response);
  });

  router.post('/sign-out-everywhere', async (_request, response) => {
    await ports.sessions.endAll((visitFor(response) as SignedInVisit).user._id);
    leave(response);
  });
  return router;

  async function membershipsOf(visit: SignedInVisit): Promise<Membership[]> {
    const teams = await ports.teams.ofUser(visit.user._id);
    const found = teams.map(async (team): Promise<Membership[]> => {
      const member = team.members.find(({ userId }) => userId === visit.user._id);
      if (!member || !isActive(member)) return [];
      const call = callFor(team._id, member, visit);
      const { details } = await peers.organizations.getOrganization({ organizationId: team._id }, call);
      return [{ team, name: details?.name ?? '', role: roleName(visit.t, member.role) }];
    });
    return (await Promise.all(found)).flat().sort((a, b) => a.name.localeCompare(b.name));
  }
}

function choicePage({ t, user }: SignedInVisit, memberships: readonly Membership[], mayCreate: boolean): PageBlock {
  if (memberships.length === 0)
    return {
      title: t.noOrganization,
      intro: fill(t.noOrganizationText, { email: user.email }),
      isNarrow: true,
      sections: [{ forms: [{ action: '/app/sign-out', submit: t.signOut, tone: '' }] }],
    };
  return { title: t.chooseOrganization, isNarrow: true, sections: [organizations(t, memberships, mayCreate)] };
}

const organizations = (
  t: SignedInVisit['t'],
  memberships: readonly Membership[],
  mayCreate: boolean,
): SectionBlock => ({
  title: t.organization,
  ...(mayCreate && { actions: [{ label: t.newOrganization, href: '/app/new-organization' }] }),
  table: {
    caption: t.chooseOrganization,
    columns: [{ label: t.organization }, { label: t.role }],
    rows: memberships.map(({ team, name, role }) => [linked(name, `/app/${team._id}`), plain(role)]),
    empty: t.noOrganization,
  },
});

const accountPage = (
  { t, user, session, language }: SignedInVisit,
  sessions: readonly Session[],
  table: SectionBlock,
  isDone: boolean,
): PageBlock => ({
  title: t.account,
  intro: user.email,
  notice: isDone ? { tone: 'good', text: t.done } : undefined,
  sections: [
    table,
    {
      title: t.sessions,
      text: t.sessionsIntro,
      table: {
        caption: t.sessions,
        columns: [{ label: t.device }, { label: t.since }, { label: t.lastSeen }, { label: t.endSession }],
        rows: sessions.map((each) => [
          plain(each.id === session.id ? `${each.device || t.none} (${t.thisSession})` : each.device || t.none),
          plain(moment(each.createdAt, language)),
          plain(moment(each.lastSeenAt, language)),
          {
            text: '',
            form: { action: '/app/account/end-session', submit: t.endSession, tone: '', hidden: { session: each.id } },
          },
        ]),
        empty: t.none,
      },
      forms: [
        { action: '/app/sign-out', submit: t.signOut, tone: '' },
        { action: '/app/sign-out-everywhere', submit: t.signOutEverywhere, tone: 'danger' },
      ],
    },
  ],
});
