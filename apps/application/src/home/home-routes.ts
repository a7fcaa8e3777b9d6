import { InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { invoiceTable, newestInvoices } from '../invoices/invoice-table';
import { onboardingSection } from '../onboarding/onboarding-view';
import { linked, plain } from '../pages/blocks';
import { money } from '../pages/format';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LOOKED_AT = 100;
const LATEST = 8;

/** What needs a person. */
export const homeRoutes =
  (peers: Peers): AddPart =>
  (part) =>
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
