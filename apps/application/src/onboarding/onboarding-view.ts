import { InvoiceStatus, ListInvoicesRequest } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { linked, type SectionBlock } from '../pages/blocks';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import type { Peers } from '../peers-client';
import { isNew, onboardingSteps, type OnboardingStep } from './onboarding';

const LOOKED_AT = 20;

const STEPS: Readonly<Record<OnboardingStep, { readonly label: keyof Texts; readonly path: string }>> = {
  company: { label: 'stepCompany', path: 'settings/organization' },
  logo: { label: 'stepLogo', path: 'settings' },
  provider: { label: 'stepProvider', path: 'settings/provider' },
  customer: { label: 'stepCustomer', path: 'customers/new' },
  invoice: { label: 'stepInvoice', path: 'invoices/new' },
};

/** What a new organisation does first; undefined when all of it is done, and for whoever cannot do it. */
export async function onboardingSection(peers: Peers, place: Workplace): Promise<SectionBlock | undefined> {
  const { t, at, organization, organizationId, role } = place;
  if (role !== 'owner' || !isNew(organization, new Date())) return undefined;
  const [{ accounts }, { customers }, { invoices }] = await Promise.all([
    peers.providers.listProviders({ organizationId }, place.call()),
    peers.customers.listCustomers({ organizationId, limit: 1 }, place.call()),
    peers.invoices.listInvoices(ListInvoicesRequest.fromPartial({ organizationId, limit: LOOKED_AT }), place.call()),
  ]);
  const steps = onboardingSteps({
    organization,
    hasProvider: accounts.length > 0,
    hasCustomer: customers.length > 0,
    hasSent: invoices.some(({ status }) => status !== InvoiceStatus.DRAFT),
  });
  const open = steps.filter(({ isDone }) => !isDone);
  if (open.length === 0) return undefined;
  return {
    title: t.onboarding,
    text: fill(t.onboardingText, { done: String(steps.length - open.length), all: String(steps.length) }),
    table: {
      caption: t.onboarding,
      columns: [{ label: t.step }, { label: t.state }],
      rows: steps.map(({ step, isDone }) => {
        const { label, path } = STEPS[step];
        return isDone
          ? [{ text: t[label] }, { text: t.stepDone, tone: 'good' as const }]
          : [linked(t[label], at(path)), { text: t.stepOpen, tone: 'plain' as const }];
      }),
      empty: t.none,
    },
  };
}
