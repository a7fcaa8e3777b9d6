import { HistoryService } from '@invoicing/contracts/invoicing/billing/v1/history';
import { type History } from '@invoicing/mongo';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';

const LIST = { usual: 100, most: 100 };

/** What became of an organisation and all that billing keeps of it. */
export const historyService = (history: Pick<History, 'page'>): BoundService =>
  bindService(
    HistoryService,
    {
      listHistory: ({ organizationId, limit, cursor }) =>
        history.page(organizationId, { limit: listLimit(limit, LIST), cursor }),
    },
    { listHistory: { callers: ['application', 'admin'], action: 'history.read' } },
  );
