import type { PeoplePorts } from '../people/people-ports';
import type { OpenidClient } from '../openid/openid-client';
import type { OpenidStore } from '../openid/openid-store';
import type { PasskeyStore } from '../passkeys/passkey-store';
import type { ChallengeStore } from './challenge-store';
import type { LimitStore } from './limit-store';
import type { SessionStore } from './session-store';
import type { SignInStore } from './sign-in-store';

/** What signing in needs. */
export interface SignInPorts extends PeoplePorts {
  readonly signIns: SignInStore;
  readonly sessions: SessionStore;
  readonly limits: LimitStore;
  readonly challenges: ChallengeStore;
  readonly passkeys: PasskeyStore;
  readonly identities: OpenidStore;
  readonly openid: OpenidClient;
  /** An operator's switch: whether an address that nobody has yet may sign up. */
  readonly isSignUpOpen: boolean;
  readonly random: (bytes: number) => Uint8Array;
}
