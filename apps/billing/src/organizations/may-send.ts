import { AppError } from '@invoicing/errors';
import type { Organization } from './organization';

/** Sending is blocked in arrears, unless a payer has paid for it already; drafts still work. */
export function assertMaySend(organization: Organization, checkoutId: string | null): void {
  if (organization.billingStatus === 'arrears' && checkoutId === null) {
    throw new AppError(
      'blocked',
      'billing_readonly',
      'the organisation is in arrears: sending is blocked, drafts work',
    );
  }
}
