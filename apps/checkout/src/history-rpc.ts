import { HistoryService } from '@invoicing/contracts/invoicing/checkout/v1/history';
import { type History } from '@invoicing/mongo';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';

const LIST = { usual: 100, most: 100 };

/** Who made and cancelled an organisation's checkouts. */
export const historyService = (history: History): BoundService =>
  bindService(
    HistoryService,
    {
      listHistory: ({ organizationId, limit, cursor }) =>
        history.page(organizationId, { limit: listLimit(limit, LIST), cursor }),
    },
    { listHistory: { callers: ['application', 'admin'], action: 'history.read' } },
  );
