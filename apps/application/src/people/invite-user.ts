import { validationError } from '@invoicing/errors';
import { isEmailAddress, isRole, type Actor, type Role } from '@invoicing/rules';
import { INVITE_MS, invite, type Member } from './team';
import type { PeoplePorts } from './people-ports';

/** Who is invited, where, as what. */
export interface Wanted {
  readonly organizationId: string;
  readonly email: string;
  readonly role: string;
}

/** An invitation, and the link that accepts it, which nothing keeps. */
export interface Invited {
  readonly member: Member;
  readonly signInUrl: string;
  readonly until: Date;
  readonly organizationName: string;
}

/**
 * Invites an address into an organisation; makes a user when there is none. A member who is there already gets the role and a new link.
 * Throws `validation`, `not_found` (organisation), `last_owner`.
 */
export async function inviteUser(ports: PeoplePorts, wanted: Wanted, by: Actor): Promise<Invited> {
  const { teams, users, clock, newId, newToken, hashOf, publicUrl } = ports;
  const { organizationId } = wanted;
  const role = checkedRole(wanted);
  const now = clock.now();
  const user = await users.ensure(wanted.email, now);
  // Asked as the person who will be there: the application has no right of its own to look.
  const { name } = await ports.organization(organizationId, { userId: user._id, role });
  const token = newToken();
  const until = new Date(now.getTime() + INVITE_MS);
  const invited = await teams.change(organizationId, { by, action: 'member.invited' }, (team) =>
    invite(team, { id: newId(), userId: user._id, email: user.email, role }, { hash: hashOf(token), until }, now),
  );
  return { member: invited!.member, signInUrl: `${publicUrl}/app/invitation/${token}`, until, organizationName: name };
}

function checkedRole({ email, role }: Wanted): Role {
  const isAddress = isEmailAddress(email.trim());
  if (isAddress && isRole(role)) return role;
  throw validationError([
    ...(isAddress ? [] : [{ path: '/email', message: 'must be an e-mail address' }]),
    ...(isRole(role) ? [] : [{ path: '/role', message: 'is not a role' }]),
  ]);
}
