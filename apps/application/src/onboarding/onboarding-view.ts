import { linked, type SectionBlock } from '../pages/blocks';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import type { Peers } from '../peers-client';
import { isNew, onboardingSteps, type OnboardingFacts, type OnboardingStep } from './onboarding';

const STEPS: Readonly<Record<OnboardingStep, { readonly label: keyof Texts; readonly path: string }>> = {
  company: { label: 'stepCompany', path: 'settings/organization' },
  logo: { label: 'stepLogo', path: 'settings' },
  provider: { label: 'stepProvider', path: 'settings/provider' },
  customer: { label: 'stepCustomer', path: 'customers/new' },
  invoice: { label: 'stepInvoice', path: 'invoices/new' },
};

export type SetUp = Pick<OnboardingFacts, 'hasProvider' | 'hasCustomer'>;

/** What a new organisation has set up; undefined for whoever needs no list of it, or cannot do what it says. */
export async function setUpOf(peers: Peers, place: Workplace): Promise<SetUp | undefined> {
  const { organization, organizationId, role } = place;
  if (role !== 'owner' || !isNew(organization, new Date())) return undefined;
  const [{ accounts }, { customers }] = await Promise.all([
    peers.providers.listProviders({ organizationId }, place.call()),
    peers.customers.listCustomers({ organizationId, limit: 1 }, place.call()),
  ]);
  return { hasProvider: accounts.length > 0, hasCustomer: customers.length > 0 };
}

/** What a new organisation does first; undefined when all of it is done. */
export function onboardingSection(
  { t, at, organization }: Workplace,
  done: SetUp & Pick<OnboardingFacts, 'hasSent'>,
): SectionBlock | undefined {
  const steps = onboardingSteps({ organization, ...done });
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
