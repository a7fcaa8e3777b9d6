import { AppError, validationError } from '@invoicing/errors';
import { isEmailAddress } from '@invoicing/rules';
import { codeFrom, LIMIT_WINDOW_MS, MAX_PER_CLIENT, MAX_PER_EMAIL, readableCode, SIGN_IN_MS } from './sign-in-code';
import type { SignInPorts } from './sign-in-ports';

const CODE_BYTES = 8;

/**
 * Mails a code to whoever has the address, and answers the token for the browser that asks; the same whether anybody has it or not.
 * Throws `validation` for what is no address, `rate_limited` for a client that asks too often.
 */
export async function requestSignIn(
  ports: SignInPorts,
  { email, client, language }: { readonly email: string; readonly client: string; readonly language: string },
): Promise<string> {
  const { limits, users, signIns, clock, hashOf, isSignUpOpen } = ports;
  const now = clock.now();
  if (!isEmailAddress(email.trim())) throw validationError([{ path: '/email', message: 'must be an e-mail address' }]);
  if (!(await limits.take(`client:${hashOf(client)}`, MAX_PER_CLIENT, LIMIT_WINDOW_MS, now)))
    throw new AppError('exhausted', 'rate_limited', 'too many sign-ins', { retryAfterSeconds: LIMIT_WINDOW_MS / 1000 });
  const user = await users.byEmail(email);
  const mayMail = await limits.take(`email:${hashOf(email.trim().toLowerCase())}`, MAX_PER_EMAIL, LIMIT_WINDOW_MS, now);
  const token = ports.newToken();
  const code = codeFrom(ports.random(CODE_BYTES));
  await signIns.insert({
    _id: hashOf(token),
    ...(user ? { userId: user._id } : isSignUpOpen && { newEmail: email.trim() }),
    codeHash: hashOf(`${token}\n${code}`),
    attempts: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SIGN_IN_MS),
  });
  const to = user?.email ?? (isSignUpOpen ? email.trim() : undefined);
  if (to !== undefined && mayMail) {
    const readable = readableCode(code);
    const url = `${ports.publicUrl}/app/sign-in/code?code=${readable}`;
    ports.mail({ to, url, code: readable, organizationName: '', language });
  }
  return token;
}
