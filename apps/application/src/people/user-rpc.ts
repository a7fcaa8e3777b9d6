import { Role as RoleMessage, UsersService } from '@invoicing/contracts/invoicing/application/v1/users';
import { notFoundError, validationError } from '@invoicing/errors';
import { bindService } from '@invoicing/rpc';
import { isUuid, type Role } from '@invoicing/rules';
import { inviteUser } from './invite-user';
import type { PeoplePorts } from './people-ports';
import { remove, type Member } from './team';

/** The people of organisations, for operators. */
export const usersService = (ports: PeoplePorts) =>
  bindService(
    UsersService,
    {
      inviteUser: async ({ organizationId, email, role }, { by }) => {
        requireUuid('organizationId', organizationId);
        const wanted = { organizationId, email, role: wordOf(role) };
        const { member, signInUrl, until } = await inviteUser(ports, wanted, by);
        return { member: messageOf(organizationId, member), signInUrl, expiresAt: until };
      },
      listUsers: async ({ organizationId }) => {
        requireUuid('organizationId', organizationId);
        const team = await ports.teams.find(organizationId);
        return { members: (team?.members ?? []).map((member) => messageOf(organizationId, member)) };
      },
      removeUser: async ({ memberId, organizationId }, { by }) => {
        requireUuid('memberId', memberId);
        if (organizationId !== undefined) requireUuid('organizationId', organizationId);
        const team = await ports.teams.ofMember(memberId);
        if (!team || (organizationId !== undefined && team._id !== organizationId)) throw notFoundError('the member');
        const removed = await ports.teams.change(team._id, { by, action: 'member.removed' }, (found) =>
          remove(found, memberId),
        );
        return messageOf(team._id, removed!.member);
      },
    },
    { inviteUser: { callers: ['admin'] }, listUsers: { callers: ['admin'] }, removeUser: { callers: ['admin'] } },
  );

function requireUuid(name: string, value: string): void {
  if (!isUuid(value)) throw validationError([{ path: `/${name}`, message: 'must be a UUID' }]);
}

/** ROLE_OWNER → owner. */
const wordOf = (role: RoleMessage): string => role.replace(/^ROLE_/, '').toLowerCase();

const MESSAGES: Record<Role, RoleMessage> = {
  owner: RoleMessage.OWNER,
  bookkeeper: RoleMessage.BOOKKEEPER,
  sales: RoleMessage.SALES,
  developer: RoleMessage.DEVELOPER,
  viewer: RoleMessage.VIEWER,
};

const messageOf = (organizationId: string, { id, userId, email, role, status, createdAt }: Member) => ({
  id,
  organizationId,
  userId,
  email,
  role: MESSAGES[role],
  status,
  createdAt,
});
