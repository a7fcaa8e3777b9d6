import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { notFoundError } from '@invoicing/errors';
import { rolesByAction, roles, type Action } from '@invoicing/rules';
import { linked, plain, type Cell, type FieldBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { doneNotice, idOf } from '../pages/list-request';
import type { Texts } from '../pages/texts';
import { roleName, show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { SignInPorts } from '../sign-in/sign-in-ports';
import { inviteByMail } from './change-team';
import { changeRole, isActive, personActor, remove, type Member, type TeamChange } from './team';

/** The people of an organisation: invited, given another role, taken out; and what each role may do. */
export const memberRoutes =
  (ports: SignInPorts): AddPart =>
  (part) => {
    listPeople(ports, part);
    invitePeople(ports, part);
    changePeople(ports, part);
  };

function listPeople({ teams }: SignInPorts, part: Part): void {
  part.get('/people', async (place, request, response) => {
    const { t, at, may, organizationId } = place;
    const team = await teams.find(organizationId);
    show(response, place, {
      title: t.people,
      notice: doneNotice(request, t),
      actions: may('people.manage') ? [{ label: t.invite, href: at('people/invite'), isPrimary: true }] : [],
      sections: [
        {
          table: {
            caption: t.people,
            columns: [{ label: t.email }, { label: t.role }, { label: t.state }],
            rows: (team?.members ?? []).map((member) => [
              may('people.manage') ? linked(member.email, at(`people/${member.id}`)) : plain(member.email),
              plain(roleName(t, member.role)),
              stateOf(t, member),
            ]),
            empty: t.noPeople,
          },
        },
        rightsSection(t),
      ],
    });
  });
}

function invitePeople(ports: SignInPorts, part: Part): void {
  part.get(
    '/people/invite',
    (place, _request, response) =>
      show(response, place, invitePage(place, { email: '', role: 'viewer' }, noFaults, randomUUID())),
    'people.manage',
  );

  part.post(
    '/people/invite',
    (place, request, response) => {
      const { organizationId, language, at } = place;
      const operation = operationOf(request);
      const given = { email: fieldOf(request, 'email'), role: fieldOf(request, 'role') };
      return submit(
        place,
        response,
        async () => {
          await inviteByMail(ports, { organizationId, language, ...given }, operation, personActor(place.user));
          return `${at('people')}?done=yes`;
        },
        (faults) => show(response, place, invitePage(place, given, faults, operation), response.statusCode),
      );
    },
    'people.manage',
  );
}

function changePeople({ teams }: SignInPorts, part: Part): void {
  const find = async ({ organizationId }: Workplace, request: Request): Promise<Member> => {
    const id = idOf(request.params['id']);
    const member = (await teams.find(organizationId))?.members.find((each) => each.id === id);
    if (!member) throw notFoundError('the member');
    return member;
  };

  part.get(
    '/people/:id',
    async (place, request, response) => {
      show(response, place, memberPage(place, await find(place, request), noFaults));
    },
    'people.manage',
  );

  const change = (
    path: string,
    action: TeamChange['action'],
    rule: (member: Member, request: Request) => Parameters<typeof teams.change>[2],
  ): void =>
    part.post(
      path,
      async (place, request, response) => {
        const member = await find(place, request);
        await submit(
          place,
          response,
          async () => {
            const as = { by: personActor(place.user), action };
            await teams.change(place.organizationId, as, rule(member, request));
            return `${place.at('people')}?done=yes`;
          },
          (faults) => show(response, place, memberPage(place, member, faults), response.statusCode),
        );
      },
      'people.manage',
    );
  change(
    '/people/:id/role',
    'member.role_changed',
    ({ id }, request) =>
      (team) =>
        changeRole(team, id, fieldOf(request, 'role')),
  );
  change(
    '/people/:id/remove',
    'member.removed',
    ({ id }) =>
      (team) =>
        remove(team, id),
  );
}

const stateOf = (t: Texts, member: Member): Cell =>
  isActive(member) ? { text: t.stateActive, tone: 'good' } : { text: t.stateInvited, tone: 'warning' };

const roleField = (t: Texts, value: string, fault: string | undefined): FieldBlock => ({
  name: 'role',
  label: t.role,
  value,
  required: true,
  fault,
  options: roles.map((role) => ({ value: role, label: roleName(t, role) })),
});

const invitePage = (
  { t, at }: Workplace,
  given: { readonly email: string; readonly role: string },
  faults: Faults,
  operation: string,
): PageBlock => ({
  title: t.invite,
  intro: t.inviteIntro,
  back: { label: t.people, href: at('people') },
  notice: faults.notice,
  faults: faultList(faults),
  isNarrow: true,
  sections: [
    {
      forms: [
        {
          action: at('people/invite'),
          submit: t.sendInvitation,
          cancel: at('people'),
          hidden: { operation },
          fields: [
            {
              name: 'email',
              label: t.email,
              type: 'email',
              inputMode: 'email',
              value: given.email,
              required: true,
              autocomplete: 'off',
              maxLength: 254,
              fault: faults.fields['email'],
            },
            roleField(t, given.role, faults.fields['role']),
          ],
        },
      ],
    },
  ],
});

const memberPage = ({ t, at }: Workplace, member: Member, faults: Faults): PageBlock => ({
  title: member.email,
  state: stateOf(t, member),
  back: { label: t.people, href: at('people') },
  notice: faults.notice,
  faults: faultList(faults),
  isNarrow: true,
  sections: [
    {
      forms: [
        {
          action: at(`people/${member.id}/role`),
          submit: t.changeRole,
          fields: [roleField(t, member.role, faults.fields['role'])],
        },
      ],
    },
    {
      text: t.removeMemberText,
      forms: [{ action: at(`people/${member.id}/remove`), submit: t.removeMember, tone: 'danger' }],
    },
  ],
});

/** The one table of roles and actions, as it is checked. */
const rightsSection = (t: Texts): SectionBlock => ({
  title: t.rightsTitle,
  table: {
    caption: t.rightsTitle,
    columns: [{ label: t.right }, ...roles.map((role) => ({ label: roleName(t, role) }))],
    rows: (Object.keys(rolesByAction) as Action[]).map((action) => [
      plain(action),
      ...roles.map((role) => plain((rolesByAction[action] as readonly string[]).includes(role) ? t.yes : t.none)),
    ]),
    empty: t.none,
  },
});
