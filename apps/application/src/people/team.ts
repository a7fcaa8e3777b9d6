import type { RecordedSelf } from '@invoicing/mongo';
import { AppError, notFoundError, validationError } from '@invoicing/errors';
import { isRole, type Actor, type Role } from '@invoicing/rules';

/** A person in an organisation, or invited into it. */
export interface Member {
  /** UUID. */
  readonly id: string;
  /** UUID; the same in every organisation. */
  readonly userId: string;
  /** As the user's. */
  readonly email: string;
  readonly role: Role;
  readonly status: 'invited' | 'active';
  readonly createdAt: Date;
  /** SHA-256 of the token in the link, in hex; absent: there is none. */
  readonly inviteHash?: string | undefined;
  readonly inviteUntil?: Date | undefined;
}

/** The people of one organisation: one document, so that what holds for all of them holds at every moment. */
export interface Team extends RecordedSelf {
  /** UUID of the organisation. */
  readonly _id: string;
  readonly members: readonly Member[];
}

/** Who changes the people of an organisation, and what that is called: noun.past_tense, e.g. `member.invited`. */
export interface TeamChange {
  readonly by: Actor;
  readonly action: `member.${'invited' | 'joined' | 'role_changed' | 'removed'}`;
}

/** A person as the history names them. */
export const personActor = ({ _id, email }: { readonly _id: string; readonly email: string }): Actor => ({
  ...{ kind: 'user', id: _id, label: email },
});

/** An invitation that can be accepted once. */
export interface Invite {
  readonly hash: string;
  readonly until: Date;
}

export const MAX_MEMBERS = 200;
export const INVITE_MS = 7 * 86_400_000;

export const emptyTeam = (organizationId: string): Team => ({ _id: organizationId, members: [] });

/** Who signs in sees these only. */
export const isActive = ({ status }: Member): boolean => status === 'active';

/** The member, or the one that there would be; an earlier link of theirs ends. Throws `validation`, `last_owner`. */
export function invite(
  team: Team,
  person: { readonly id: string; readonly userId: string; readonly email: string; readonly role: string },
  { hash, until }: Invite,
  now: Date,
): { team: Team; member: Member } {
  const { role } = person;
  if (!isRole(role)) throw validationError([{ path: '/role', message: 'is not a role' }]);
  const found = team.members.find(({ userId }) => userId === person.userId);
  if (!found && team.members.length >= MAX_MEMBERS)
    throw validationError([{ path: '/email', message: `an organisation has at most ${MAX_MEMBERS} people` }]);
  const member: Member = {
    ...(found ?? { id: person.id, userId: person.userId, email: person.email, status: 'invited', createdAt: now }),
    role,
    inviteHash: hash,
    inviteUntil: until,
  };
  return { team: withMember(team, member), member };
}

/** Who created the organisation is its first owner. Undefined: they are already. Throws `not_found` when it has other people. */
export function withFirstOwner(
  team: Team,
  person: Pick<Member, 'id' | 'userId' | 'email'>,
  now: Date,
): { team: Team; member: Member } | undefined {
  if (team.members.some(({ userId }) => userId === person.userId)) return undefined;
  if (team.members.length > 0) throw notFoundError('the organisation');
  const member: Member = { ...person, role: 'owner', status: 'active', createdAt: now };
  return { team: withMember(team, member), member };
}

/** The member becomes active; the link ends. Undefined: the link is unknown, used or too old. */
export function accept(team: Team, hash: string, now: Date): { team: Team; member: Member } | undefined {
  const found = memberOfInvite(team, hash, now);
  if (!found) return undefined;
  const { inviteHash: _hash, inviteUntil: _until, ...rest } = found;
  const member: Member = { ...rest, status: 'active' };
  return { team: withMember(team, member), member };
}

export const memberOfInvite = (team: Team, hash: string, now: Date): Member | undefined =>
  team.members.find(({ inviteHash, inviteUntil }) => inviteHash === hash && inviteUntil && inviteUntil > now);

/** Throws `not_found`, `validation`, `last_owner`. */
export function changeRole(team: Team, memberId: string, role: string): { team: Team; member: Member } {
  if (!isRole(role)) throw validationError([{ path: '/role', message: 'is not a role' }]);
  const member: Member = { ...memberOf(team, memberId), role };
  return { team: withMember(team, member), member };
}

/** Throws `not_found`, `last_owner`. */
export function remove(team: Team, memberId: string): { team: Team; member: Member } {
  const member = memberOf(team, memberId);
  return {
    team: changed(
      team,
      team.members.filter(({ id }) => id !== member.id),
    ),
    member,
  };
}

function memberOf({ members }: Team, memberId: string): Member {
  const found = members.find(({ id }) => id === memberId);
  if (!found) throw notFoundError('the member');
  return found;
}

function withMember(team: Team, member: Member): Team {
  const isNew = !team.members.some(({ id }) => id === member.id);
  const members = isNew
    ? [...team.members, member]
    : team.members.map((each) => (each.id === member.id ? member : each));
  return changed(team, members);
}

const isOwner = (member: Member): boolean => isActive(member) && member.role === 'owner';

/** An organisation that has had an owner keeps one: nobody else could let people in again. */
function changed(team: Team, members: readonly Member[]): Team {
  if (team.members.some(isOwner) && !members.some(isOwner))
    throw new AppError('blocked', 'last_owner', 'the organisation would be left without an owner');
  return { ...team, members };
}
