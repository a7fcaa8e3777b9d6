import { type Violation } from '@invoicing/errors';
import { type PaymentProvider, type ProviderAccount } from '../sessions/session-ports';

export type AccountSettings = Pick<ProviderAccount, 'apiKey' | 'baseUrl'>;

/** A payment provider that organisations can connect. Adding one: a folder with its kind, and a line in provider-kinds.ts. */
export interface ProviderKind {
  /** What is wrong with the settings of an account. */
  check: (settings: AccountSettings) => Violation[];
  /** Whether money is real with these settings; an organisation connects only what is of its own mode. */
  mode: (settings: AccountSettings) => 'live' | 'test';
  open: (account: ProviderAccount) => PaymentProvider;
  /** Where a form that starts a payment may lead besides our own pages, for Content-Security-Policy `form-action`. */
  formTargets: (settings: AccountSettings) => readonly string[];
}
