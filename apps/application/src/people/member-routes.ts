import { rolesByAction, roles, type Action } from '@invoicing/rules';
import { plain, type SectionBlock } from '../pages/blocks';
import type { Texts } from '../pages/texts';
import { roleName, show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { PeoplePorts } from './people-ports';
import { isActive } from './team';

/** The people of an organisation, and what each role may do. */
export const memberRoutes =
  ({ teams }: PeoplePorts): AddPart =>
  (part) =>
    part.get('/people', async (place, _request, response) => {
      const { t, organizationId } = place;
      const team = await teams.find(organizationId);
      show(response, place, {
        title: t.people,
        sections: [
          {
            table: {
              caption: t.people,
              columns: [{ label: t.email }, { label: t.role }, { label: t.state }],
              rows: (team?.members ?? []).map((member) => [
                plain(member.email),
                plain(roleName(t, member.role)),
                isActive(member)
                  ? { text: t.stateActive, tone: 'good' as const }
                  : { text: t.stateInvited, tone: 'warning' as const },
              ]),
              empty: t.noPeople,
            },
          },
          rightsSection(t),
        ],
      });
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
