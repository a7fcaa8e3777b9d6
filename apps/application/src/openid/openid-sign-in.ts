import { isEmailAddress } from '@invoicing/rules';
import { accept, invite, INVITE_MS, isActive, personActor } from '../people/team';
import { startSession, type SignedIn } from '../sign-in/complete-sign-in';
import type { SignInPorts } from '../sign-in/sign-in-ports';
import type { User } from '../people/user-store';
import type { OpenidAsked, OpenidClaims } from './openid-client';
import type { OpenidProvider } from './openid-provider';

/** Between the question and the answer of a company's own sign-in. */
export const OPENID_MS = 10 * 60_000;

const redirectUri = ({ publicUrl }: SignInPorts, { id }: OpenidProvider): string =>
  `${publicUrl}/app/openid/${id}/callback`;

/** Where the browser is sent to, and the token for its cookie: no other browser can bring the answer. Throws `unavailable`. */
export async function askOpenid(
  ports: SignInPorts,
  provider: OpenidProvider,
): Promise<{ readonly token: string; readonly url: string }> {
  const { challenges, clock, hashOf, newToken, openid } = ports;
  const { url, asked } = await openid.ask(provider, redirectUri(ports, provider));
  const token = newToken();
  await challenges.insert({
    ...{ _id: hashOf(token), purpose: 'openid', value: JSON.stringify({ ...asked, provider: provider.id }) },
    expiresAt: new Date(clock.now().getTime() + OPENID_MS),
  });
  return { token, url };
}

export type OpenidResult = SignedIn | 'refused' | 'unverified' | 'unknown';

/**
 * Signs in whom the answer names. Refused: it is not the answer to what this browser asked. Unverified: the provider does not vouch for the
 * address, or may not. Unknown: nobody invited them, or the account is somebody else's there. Throws `unavailable`.
 */
export async function signInByOpenid(
  ports: SignInPorts,
  provider: OpenidProvider,
  given: { readonly token: string; readonly query: string; readonly userAgent: string },
): Promise<OpenidResult> {
  const { challenges, clock, hashOf } = ports;
  // Used up before anything is compared.
  const challenge = await challenges.take(hashOf(given.token), 'openid', clock.now());
  if (!challenge) return 'refused';
  const asked = JSON.parse(challenge.value) as OpenidAsked & { readonly provider: string };
  if (asked.provider !== provider.id) return 'refused';
  const claims = await ports.openid.answered(provider, new URL(`${redirectUri(ports, provider)}${given.query}`), asked);
  if (!claims) return 'refused';
  const email = claims.email.trim().toLowerCase();
  const isOurs = isEmailAddress(email) && provider.domains.includes(email.slice(email.lastIndexOf('@') + 1));
  if (!claims.isVerified || !isOurs) return 'unverified';
  const user = await userOf(ports, provider, claims, email);
  if (!user) return 'unknown';
  return startSession(ports, user._id, given.userAgent);
}

/**
 * Whoever signed in before is known by the subject, which the provider gives to nobody else; the first time by the address, if no other subject
 * has it: an address that a company gives to another colleague brings nobody into the account of the one before.
 */
async function userOf(
  ports: SignInPorts,
  provider: OpenidProvider,
  { subject }: OpenidClaims,
  email: string,
): Promise<User | undefined> {
  const { identities, users, clock, hashOf } = ports;
  const { issuer } = provider;
  const _id = hashOf(`${issuer}\n${subject}`);
  const known = await identities.find(_id);
  if (known) return (await users.find(known.userId)) ?? undefined;
  const user =
    (await users.byEmail(email)) ?? (provider.organizationId ? await users.ensure(email, clock.now()) : undefined);
  if (!user || !(await identities.insert({ _id, userId: user._id, issuer, createdAt: clock.now() }))) return undefined;
  await join(ports, provider, user);
  return user;
}

/** Makes them a member of the provider's organisation, once: who was taken out there stays out. */
async function join(
  { teams, clock, newId, newToken, hashOf }: SignInPorts,
  { organizationId, role }: OpenidProvider,
  { _id: userId, email }: User,
): Promise<void> {
  if (organizationId === undefined) return;
  const now = clock.now();
  const hash = hashOf(newToken());
  const until = new Date(now.getTime() + INVITE_MS);
  const as = { by: personActor({ _id: userId, email }), action: 'member.joined' } as const;
  await teams.change(organizationId, as, (team) => {
    if (team.members.some((each) => each.userId === userId && isActive(each))) return undefined;
    const invited = invite(team, { id: newId(), userId, email, role }, { hash, until }, now);
    return accept(invited.team, hash, now);
  });
}
