import type { PeoplePorts } from '../people/people-ports';
import type { LimitStore } from './limit-store';
import type { SessionStore } from './session-store';
import type { SignInStore } from './sign-in-store';

/** A mail by which somebody signs in. */
export interface SignInMessage {
  readonly to: string;
  readonly url: string;
  /** Empty: none. */
  readonly code: string;
  /** Empty: they asked for it themselves. */
  readonly organizationName: string;
  readonly language: string;
}

/** What signing in needs. */
export interface SignInPorts extends PeoplePorts {
  readonly signIns: SignInStore;
  readonly sessions: SessionStore;
  readonly limits: LimitStore;
  readonly random: (bytes: number) => Uint8Array;
  /** Sends it in the background: whoever asks learns nothing by how long it takes. */
  readonly mail: (message: SignInMessage) => void;
}
