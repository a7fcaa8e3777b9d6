import type { Request } from 'express';
import { CreateCheckoutRequest } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { validationError } from '@invoicing/errors';
import { blankDraft, lineInputs, typedDraft, type LineForm } from '../invoices/draft-form';
import { fieldOf } from '../pages/form-request';

/** A checkout as it stands in the editor: what was typed. */
export interface CheckoutForm {
  readonly title: string;
  readonly productSearch: string;
  readonly profileId: string;
  readonly days: string;
  readonly email: string;
  readonly redirectUrl: string;
  readonly pricesIncludeVat: string;
  readonly reference: string;
  readonly note: string;
  readonly lines: readonly LineForm[];
}

const HOURS = 24;
const MAX_DAYS = 30;

export const blankCheckout = (): CheckoutForm => ({
  title: '',
  productSearch: '',
  profileId: '',
  days: '3',
  email: '',
  redirectUrl: '',
  pricesIncludeVat: 'yes',
  reference: '',
  note: '',
  lines: blankDraft('').lines,
});

export function typedCheckout(request: Request): CheckoutForm {
  const { profileId, pricesIncludeVat, reference, note, productSearch, lines } = typedDraft(request);
  return {
    ...{ profileId, pricesIncludeVat, reference, note, productSearch, lines },
    title: fieldOf(request, 'title'),
    days: fieldOf(request, 'days'),
    email: fieldOf(request, 'email'),
    redirectUrl: fieldOf(request, 'redirectUrl'),
  };
}

export function createRequest(organizationId: string, form: CheckoutForm): CreateCheckoutRequest {
  const days = /^\d{1,2}$/.test(form.days) ? Number(form.days) : 0;
  if (days < 1 || days > MAX_DAYS)
    throw validationError([{ path: '/days', message: `must be a whole number from 1 to ${MAX_DAYS}` }]);
  return CreateCheckoutRequest.fromPartial({
    organizationId,
    title: form.title,
    lines: lineInputs(form),
    customer: form.email ? { email: form.email } : undefined,
    redirectUrl: form.redirectUrl || undefined,
    expiresInHours: days * HOURS,
    profileId: form.profileId || undefined,
    pricesIncludeVat: form.pricesIncludeVat === 'yes',
    reference: form.reference || undefined,
    note: form.note || undefined,
  });
}
