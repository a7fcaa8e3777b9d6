import { VatChecksService } from '@invoicing/contracts/invoicing/catalog/v1/vat_checks';
import { validationError } from '@invoicing/errors';
import { bindService, type BoundService } from '@invoicing/rpc';
import { compactVatId } from '@invoicing/rules';
import { customerMessage, owner } from '../catalog-rpc';
import type { CustomerStore } from './customer-store';
import { isOfMemberState, type Vies } from './vies-client';

/** Looks numbers of customers up, and keeps what was answered. */
export const vatChecksService = (customers: CustomerStore, vies: Vies): BoundService =>
  bindService(
    VatChecksService,
    {
      checkVatId: async ({ organizationId, customerId, requesterVatId }, { by }) => {
        const seen = await customers.get(owner(organizationId), customerId);
        const { btwId: vatId = '' } = seen.details;
        if (!isOfMemberState(vatId))
          throw validationError([{ path: '/btwId', message: 'must be the VAT number of a member state' }]);
        const checkedAt = new Date();
        const answer = await vies(vatId, compactVatId(requesterVatId));
        if ('unavailable' in answer) return { ...answer, customer: undefined };
        const checked = await customers.keepVatCheck(seen, { ...answer, vatId, checkedAt }, by);
        return { customer: customerMessage(checked), unavailable: '' };
      },
    },
    { checkVatId: { callers: ['application', 'admin'], action: 'customers.write' } },
  );
