import { type Session } from '../sessions/session';

export const T0 = new Date('2026-03-02T10:00:00Z');
export const after = (ms: number): Date => new Date(T0.getTime() + ms);

/** A session of € 121,00 that was made at T0 and ends after an hour. */
export const sampleSession = (changes: Partial<Session> = {}): Session => ({
  id: '0b8f0f6e-5a0e-4a6e-9d0e-3c8a4c1d2e3f',
  kind: 'checkout',
  organizationId: '5f0e3f6a-9f3c-4f55-8a53-0d3f0a8c1b2d',
  profileId: null,
  token: 'token',
  title: 'Workshop',
  sellerName: 'De Ochtend',
  lines: [],
  totals: { exclCents: 10_000, vatCents: 2_100, inclCents: 12_100, groups: [] },
  currency: 'EUR',
  redirectUrl: null,
  methods: [],
  prefill: {},
  status: 'open',
  createdAt: T0,
  expiresAt: after(3_600_000),
  attempts: [],
  paidAttemptId: null,
  paidAt: null,
  fulfilment: null,
  invoice: null,
  revision: 0,
  ...changes,
});
