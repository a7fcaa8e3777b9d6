import type { Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';

/** What a new organisation does first, in the order in which it helps most. */
export interface OnboardingFacts {
  readonly organization: Organization;
  readonly hasProvider: boolean;
  readonly hasCustomer: boolean;
  readonly hasSent: boolean;
}

export type OnboardingStep = 'company' | 'logo' | 'provider' | 'customer' | 'invoice';

const DAYS = 90;
const DAY_MS = 86_400_000;

/** Whether the list is shown at all: an organisation that is past its beginning has its own way by now. */
export const isNew = ({ createdAt }: Organization, now: Date): boolean =>
  createdAt !== undefined && now.getTime() - createdAt.getTime() < DAYS * DAY_MS;

/** Each step, and whether it is done: by what there is, so that nobody has to tick anything off. */
export function onboardingSteps({
  organization: { details, profiles },
  hasProvider,
  hasCustomer,
  hasSent,
}: OnboardingFacts): readonly { readonly step: OnboardingStep; readonly isDone: boolean }[] {
  // What the law wants on an invoice, and the account that it is paid to.
  const hasCompany = [details?.name, details?.addressLine1, details?.city, details?.iban].every(Boolean);
  return [
    { step: 'company', isDone: hasCompany },
    { step: 'logo', isDone: profiles.some(({ hasLogo }) => hasLogo) },
    { step: 'provider', isDone: hasProvider },
    { step: 'customer', isDone: hasCustomer },
    { step: 'invoice', isDone: hasSent },
  ];
}
