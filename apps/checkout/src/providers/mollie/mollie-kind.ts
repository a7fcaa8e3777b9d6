import { type Violation } from '@invoicing/errors';
import { type ProviderKind, type AccountSettings } from '../provider-kind';
import { mollieProvider } from './mollie-provider';

const LIVE_URL = 'https://api.mollie.com';

/** Mollie, https://docs.mollie.com, API v2. */
export const mollieKind = (): ProviderKind => ({
  check: ({ apiKey }: AccountSettings): Violation[] =>
    apiKey !== null && /^(test|live)_[A-Za-z0-9]{6,100}$/.test(apiKey)
      ? []
      : [{ path: '/apiKey', message: 'must be a Mollie API key: test_… or live_…' }],
  mode: ({ apiKey }) => (apiKey?.startsWith('live_') ? 'live' : 'test'),
  open: ({ apiKey, baseUrl }) => mollieProvider(apiKey ?? '', baseUrl ?? LIVE_URL),
  // Mollie sends payers straight on to their bank, and a browser checks `form-action` at every hop.
  formTargets: ({ baseUrl }) => ['https:', ...(baseUrl === null ? [] : [new URL(baseUrl).origin])],
});
