import { OverviewsService } from '@invoicing/contracts/invoicing/billing/v1/overview';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';
import type { Ports } from '../billing-ports';
import { CURRENCY } from '../organizations/organization';

import type { ListedInvoice } from './list-invoices';
import { toSummary } from './list-proto';
import { firstOf, overviewOf } from './overview';

const MONTHS = { usual: 12, most: 24 };

/** How an organisation stands, for those who work there. */
export const overviewsService = (ports: Ports): BoundService =>
  bindService(
    OverviewsService,
    {
      getOverview: async ({ organizationId, months }, call) => {
        const found = await overviewOf(ports, organizationId, listLimit(months, MONTHS), call);
        const { drafts, open, overdue, overpaid, newest, hasIssued, isPartial } = found;
        return {
          currency: CURRENCY,
          draftCount: drafts.length,
          drafts: firstOf(drafts).map(toSummary),
          openCount: open.length,
          openCents: openCents(open),
          overdueCount: overdue.length,
          overdueCents: openCents(overdue),
          overdue: firstOf(overdue).map(toSummary),
          overpaidCount: overpaid.length,
          overpaid: firstOf(overpaid).map(toSummary),
          hasIssued,
          isPartial,
          months: [...found.months],
          newest: newest.map(toSummary),
        };
      },
    },
    { getOverview: { callers: ['application'], action: 'invoices.read' } },
  );

const openCents = (documents: readonly ListedInvoice[]): number =>
  documents.reduce((sum, document) => sum + document.openCents, 0);
