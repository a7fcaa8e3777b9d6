import { randomUUID } from 'node:crypto';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { bindService, type BoundService } from '@invoicing/rpc';
import type { MailCredits } from './mail-credits';

export const creditsService = (credits: MailCredits): BoundService =>
  bindService(
    CreditsService,
    {
      grantCredits: async ({ organizationId, credits: amount, reason }, { operationId, dryRun }) => {
        const grant = { organizationId, credits: amount, reason: reason ?? null };
        const entry = await credits[dryRun ? 'previewGrant' : 'grant'](grant, operationId ?? randomUUID());
        return {
          id: entry._id,
          organizationId,
          credits: entry.credits,
          balance: entry.balance,
          reason: entry.reason ?? undefined,
          createdAt: entry.createdAt,
        };
      },
      getCreditBalance: ({ organizationId }) => credits.balance(organizationId),
      reserveCredit: ({ organizationId, letterId }) => credits.reserve(organizationId, letterId),
      consumeCredit: ({ organizationId, letterId }) => credits.settle(organizationId, letterId, 'consume'),
      releaseCredit: ({ organizationId, letterId }) => credits.settle(organizationId, letterId, 'release'),
    },
    {
      // The gateway has checked that the key is the platform's.
      grantCredits: { callers: ['platform-billing', 'gateway'], dryRun: true },
      getCreditBalance: { callers: ['application', 'admin'], action: 'credits.read' },
      // Letters are notification's.
      reserveCredit: { callers: ['notification'] },
      consumeCredit: { callers: ['notification'] },
      releaseCredit: { callers: ['notification'] },
    },
  );
