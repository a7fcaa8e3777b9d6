import { randomUUID } from 'node:crypto';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';
import type { CreditEntry } from './credit-ledger';
import type { MailCredits } from './mail-credits';

const LIST = { usual: 100, most: 100 };

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
      listCreditEntries: async ({ organizationId, limit, before }) => ({
        entries: (await credits.list(organizationId, listLimit(limit ?? 0, LIST), before)).map(toEntry),
      }),
      reserveCredit: ({ organizationId, letterId }) => credits.reserve(organizationId, letterId),
      consumeCredit: ({ organizationId, letterId }) => credits.settle(organizationId, letterId, 'consume'),
      releaseCredit: ({ organizationId, letterId }) => credits.settle(organizationId, letterId, 'release'),
    },
    {
      // The gateway has checked that the key is the platform's.
      grantCredits: { callers: ['platform-billing', 'gateway'], dryRun: true },
      getCreditBalance: { callers: ['application', 'admin'], action: 'credits.read' },
      listCreditEntries: { callers: ['application', 'admin'], action: 'credits.read' },
      // Letters are notification's.
      reserveCredit: { callers: ['notification'] },
      consumeCredit: { callers: ['notification'] },
      releaseCredit: { callers: ['notification'] },
    },
  );

const toEntry = (entry: CreditEntry) => ({
  seq: entry.seq,
  kind: entry.kind,
  credits: entry.kind === 'grant' ? entry.credits : 0,
  reason: entry.kind === 'grant' ? (entry.reason ?? '') : '',
  letterId: entry.kind === 'grant' ? '' : entry.letterId,
  balance: entry.balance,
  reserved: entry.reserved,
  createdAt: entry.createdAt,
});
