import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { validationError } from '@invoicing/errors';
import type { User } from '../people/user-store';
import type { Challenge } from '../sign-in/challenge-store';
import { startSession, type SignedIn } from '../sign-in/complete-sign-in';
import { deviceOf } from '../sign-in/session';
import type { SignInPorts } from '../sign-in/sign-in-ports';
import { MAX_PASSKEYS, type Passkey } from './passkey-store';

/** How long a browser has to answer. */
export const CHALLENGE_MS = 5 * 60_000;
const NAME = 'Invoicing';

/** What a browser is asked, and the token by which it is known when it answers. */
export interface Asked {
  readonly token: string;
  /** PublicKeyCredentialRequestOptionsJSON or -CreationOptionsJSON. */
  readonly options: object;
}

const rpOf = ({ publicUrl }: SignInPorts) => ({ id: new URL(publicUrl).hostname, origin: new URL(publicUrl).origin });

async function keep(
  { challenges, clock, newToken, hashOf }: SignInPorts,
  purpose: Challenge['purpose'],
  value: string,
  userId?: string,
): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS);
  await challenges.insert({ _id: hashOf(token), purpose, value, expiresAt, ...(userId !== undefined && { userId }) });
  return token;
}

/** Asks any device for a passkey that it has for us; whose it is, it says itself. */
export async function askPasskey(ports: SignInPorts): Promise<Asked> {
  const options = await generateAuthenticationOptions({ rpID: rpOf(ports).id, userVerification: 'required' });
  return { token: await keep(ports, 'passkey_sign_in', options.challenge), options };
}

/** The answer to `askPasskey`, of the same browser. Undefined: it is none, came too late, or twice. */
export async function signInByPasskey(
  ports: SignInPorts,
  { token, response, userAgent }: { readonly token: string; readonly response: unknown; readonly userAgent: string },
): Promise<SignedIn | undefined> {
  const { challenges, passkeys, clock, hashOf } = ports;
  const challenge = await challenges.take(hashOf(token), 'passkey_sign_in', clock.now());
  const answer = response as AuthenticationResponseJSON;
  const passkey = challenge && typeof answer?.id === 'string' ? await passkeys.find(answer.id) : null;
  if (!challenge || !passkey) return undefined;
  const counter = await verifiedCounter(ports, passkey, challenge, answer);
  if (counter === undefined || !(await passkeys.used(passkey, { counter, at: clock.now() }))) return undefined;
  return startSession(ports, passkey.userId, userAgent);
}

/** The count that the answer carries; undefined when it does not hold. */
async function verifiedCounter(
  ports: SignInPorts,
  passkey: Passkey,
  challenge: Challenge,
  response: AuthenticationResponseJSON,
): Promise<number | undefined> {
  const { id, origin } = rpOf(ports);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.value,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey._id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: passkey.transports as AuthenticatorTransport[],
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for each way in which an answer is wrong; to whoever sent it they are all the same.
    return undefined;
  }
}

/** Asks this device to make a passkey for somebody who is signed in. Throws `validation` when they have enough. */
export async function askNewPasskey(ports: SignInPorts, user: User): Promise<Asked> {
  const there = await ports.passkeys.ofUser(user._id);
  if (there.length >= MAX_PASSKEYS)
    throw validationError([{ path: '', message: `somebody has at most ${MAX_PASSKEYS} passkeys` }]);
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: rpOf(ports).id,
    userID: new TextEncoder().encode(user._id),
    userName: user.email,
    userDisplayName: user.email,
    attestationType: 'none',
    // It is found without a name being typed, and asks for a finger, a face or a PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: there.map(({ _id }) => ({ id: _id })),
  });
  return { token: await keep(ports, 'passkey_new', options.challenge, user._id), options };
}

/** The answer to `askNewPasskey`. False: it is none, came too late, twice, or from somebody else. */
export async function addPasskey(
  ports: SignInPorts,
  user: User,
  { token, response, userAgent }: { readonly token: string; readonly response: unknown; readonly userAgent: string },
): Promise<boolean> {
  const { challenges, passkeys, clock, hashOf, newId } = ports;
  const challenge = await challenges.take(hashOf(token), 'passkey_new', clock.now());
  if (challenge?.userId !== user._id) return false;
  const credential = await verifiedCredential(ports, challenge, response as RegistrationResponseJSON);
  if (!credential) return false;
  return passkeys.insert({
    _id: credential.id,
    id: newId(),
    userId: user._id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    device: deviceOf(userAgent),
    createdAt: clock.now(),
  });
}

async function verifiedCredential(ports: SignInPorts, challenge: Challenge, response: RegistrationResponseJSON) {
  const { id, origin } = rpOf(ports);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge.value,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    return verified ? registrationInfo.credential : undefined;
  } catch {
    // As above.
    return undefined;
  }
}
