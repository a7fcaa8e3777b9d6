import { accept, memberOfInvite, personActor, type Member, type Team } from '../people/team';
import { deviceOf, isAlive, isSeenLongAgo, SESSION_MS, type Session } from './session';
import type { SignInPorts } from './sign-in-ports';
import { typedCode } from './sign-in-code';

/** A new session's token, for the cookie; nothing keeps it. */
export interface SignedIn {
  readonly token: string;
  readonly userId: string;
}

/** Of a browser with the token that it got when it asked, and the code from the mail. Undefined: wrong, used, or too old. */
export async function completeSignIn(
  ports: SignInPorts,
  { token, code, userAgent }: { readonly token: string; readonly code: string; readonly userAgent: string },
): Promise<SignedIn | undefined> {
  const { signIns, users, hashOf, clock } = ports;
  const id = hashOf(token);
  const attempted = await signIns.attempt(id, clock.now());
  if (!attempted || attempted.codeHash !== hashOf(`${token}\n${typedCode(code)}`)) return undefined;
  const { userId, newEmail } = attempted;
  if ((userId === undefined && newEmail === undefined) || !(await signIns.take(id))) return undefined;
  return startSession(ports, userId ?? (await users.ensure(newEmail!, clock.now()))._id, userAgent);
}

/** An invitation that can be accepted, and into what. Undefined: unknown, used, or too old. */
export async function findInvitation(
  { teams, hashOf, clock }: SignInPorts,
  token: string,
): Promise<{ readonly team: Team; readonly member: Member } | undefined> {
  const team = await teams.ofInvite(hashOf(token));
  const member = team && memberOfInvite(team, hashOf(token), clock.now());
  return member ? { team, member } : undefined;
}

/** Makes the member active and signs in. Undefined as for `findInvitation`. */
export async function acceptInvitation(
  ports: SignInPorts,
  token: string,
  userAgent: string,
): Promise<(SignedIn & { readonly organizationId: string }) | undefined> {
  const found = await findInvitation(ports, token);
  if (!found) return undefined;
  const organizationId = found.team._id;
  const hash = ports.hashOf(token);
  const { userId, email } = found.member;
  const as = { by: personActor({ _id: userId, email }), action: 'member.joined' } as const;
  const accepted = await ports.teams.change(organizationId, as, (team) => accept(team, hash, ports.clock.now()));
  if (!accepted) return undefined;
  return { ...(await startSession(ports, accepted.member.userId, userAgent)), organizationId };
}

/** Signs in whoever has proven who they are. */
export async function startSession(ports: SignInPorts, userId: string, userAgent: string): Promise<SignedIn> {
  const now = ports.clock.now();
  const token = ports.newToken();
  await ports.sessions.insert({
    _id: ports.hashOf(token),
    id: ports.newId(),
    userId,
    device: deviceOf(userAgent),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MS),
  });
  return { token, userId };
}

/** The session of a cookie; undefined when it has ended. */
export async function resumeSession(
  { sessions, hashOf, clock }: SignInPorts,
  token: string,
): Promise<Session | undefined> {
  const session = await sessions.find(hashOf(token));
  const now = clock.now();
  if (!session || !isAlive(session, now)) return undefined;
  if (isSeenLongAgo(session, now)) await sessions.seen(session._id, now);
  return session;
}
