<<<<<<< HEAD
import { unlessAway } from '../pages/error-page';
import { show, type Workplace } from '../pages/visit';
=======
import { InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { invoiceTable, newestInvoices } from '../invoices/invoice-table';
import { onboardingSection } from '../onboarding/onboarding-view';
import { linked, plain } from '../pages/blocks';
import { money } from '../pages/format';
import { show } from '../pages/visit';
>>>>>>> app-b
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { homePage, type HomeFacts } from './home-view';

const MONTHS = 12;
const LOOKED_AT = 100;
const SHOWN = 5;

/** What needs a person, and how the money went. */
export const homeRoutes =
  (peers: Peers): AddPart =>
  (part) =>
<<<<<<< HEAD
    part.get('', async (place, _request, response) =>
      show(response, place, homePage(place, await factsOf(peers, place))),
    );

/** One look at each service, all at once; who sends mail may be away without the page being so. */
async function factsOf(peers: Peers, place: Workplace): Promise<HomeFacts> {
  const { organizationId, may } = place;
  const call = (): ReturnType<Workplace['call']> => place.call();
  const [overview, mail, letters, webhooks, { customers }] = await Promise.all([
    peers.overviews.getOverview({ organizationId, months: MONTHS }, call()),
    may('messages.read')
      ? peers.mail.listMail({ organizationId, limit: LOOKED_AT }, call()).catch(unlessAway)
      : { messages: [] },
    may('messages.read') ? peers.letters.listLetters({ organizationId }, call()).catch(unlessAway) : { letters: [] },
    may('webhooks.manage')
      ? peers.webhooks.listEndpoints({ organizationId }, call()).catch(unlessAway)
      : { endpoints: [] },
    peers.customers.listCustomers({ organizationId, limit: 1 }, call()),
  ]);
  const hasFailed = ({ status }: { readonly status: string }): boolean => status === 'failed';
  return {
    overview,
    failedMails: mail && latest(mail.messages).filter(hasFailed).slice(0, SHOWN),
    failedLetters: letters && latest(letters.letters).filter(hasFailed).slice(0, SHOWN),
    failingWebhooks: webhooks?.endpoints.filter(({ disabledReason }) => ['failing', 'gone'].includes(disabledReason))
      .length,
    hasCustomer: customers.length > 0,
  };
}

/** Of each invoice the newest only: what was sent again since needs nobody. */
function latest<T extends { readonly invoiceId: string }>(newestFirst: readonly T[]): T[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ invoiceId }) => invoiceId !== '' && !seen.has(invoiceId) && seen.add(invoiceId));
}
=======
    part.get('', async (place, _request, response) => {
      const { t, at, currency, language } = place;
      const [invoices, onboarding] = await Promise.all([
        newestInvoices(peers, place, LOOKED_AT),
        onboardingSection(peers, place),
      ]);
      const drafts = invoices.filter(({ status }) => status === InvoiceStatus.DRAFT);
      const openCents = invoices.reduce((sum, invoice) => sum + invoice.openCents, 0);
      show(response, place, {
        title: place.name,
        sections: [
          ...(onboarding ? [onboarding] : []),
          {
            facts: [
              [t.draftCount, linked(String(drafts.length), at('invoices'))],
              [t.openAmount, plain(money(openCents, currency, language))],
            ],
          },
          { title: t.latestInvoices, table: await invoiceTable(peers, place, invoices.slice(0, LATEST)) },
        ],
      });
    });
>>>>>>> app-b
