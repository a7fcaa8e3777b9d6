import { AppError } from '@invoicing/errors';
import type { Actor } from '@invoicing/rules';
import type { SignInPorts } from '../sign-in/sign-in-ports';
import { inviteUser, type Wanted } from './invite-user';
import type { Member } from './team';

/** Invitations that an organisation sends within `WINDOW_MS`: nobody's mailbox is filled from here. */
export const MAX_INVITATIONS = 60;
const WINDOW_MS = 3_600_000;
const OPERATION_MS = 86_400_000;

/**
 * Invites somebody by e-mail, once an operation. Whoever invites never sees the link: it signs in as the person that it was sent to, in every
 * organisation that they are in. Throws as `inviteUser`, and `rate_limited`.
 */
export async function inviteByMail(
  ports: SignInPorts,
  wanted: Wanted & { readonly language: string },
  operationId: string,
  by: Actor,
): Promise<Member | undefined> {
  const { limits, clock, hashOf, mail } = ports;
  const { organizationId, email, language } = wanted;
  if (!(await limits.take(`invitations:${organizationId}`, MAX_INVITATIONS, WINDOW_MS, clock.now())))
    throw new AppError('exhausted', 'rate_limited', 'too many invitations within an hour');
  const key = hashOf(`invitation:${organizationId}:${operationId}:${email}`);
  if (!(await limits.take(key, 1, OPERATION_MS, clock.now()))) return undefined;
  const { member, signInUrl, organizationName } = await inviteUser(ports, wanted, by);
  mail({ to: member.email, url: signInUrl, code: '', organizationName, language });
  return member;
}
