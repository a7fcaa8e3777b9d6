import type { History } from '@invoicing/mongo';
import type { Role } from '@invoicing/rules';
import type { TeamStore } from './team-store';
import type { UserStore } from './user-store';

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

/** What the verbs of people need. */
export interface PeoplePorts {
  readonly teams: TeamStore;
  /** Who changed what of people. */
  readonly history: Pick<History, 'page' | 'purge'>;
  readonly users: UserStore;
  readonly clock: { readonly now: () => Date };
  readonly newId: () => string;
  readonly newToken: () => string;
  readonly hashOf: (token: string) => string;
  /** Base of public addresses, without a slash at its end. */
  readonly publicUrl: string;
  /** Sends it in the background: whoever asks learns nothing by how long it takes. */
  readonly mail: (message: SignInMessage) => void;
  /** Asked for a person with that role. Throws `not_found`. */
  readonly organization: (
    organizationId: string,
    person: { readonly userId: string; readonly role: Role },
  ) => Promise<{ readonly name: string }>;
}
