import { HistoryService } from '@invoicing/contracts/invoicing/notification/v1/history';
import { type History } from '@invoicing/mongo';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';
import { requireUuid } from './request-rules';

const LIST = { usual: 100, most: 100 };

/** What people sent again, and what became of an organisation's webhook endpoints. */
export const historyService = (history: History): BoundService =>
  bindService(
    HistoryService,
    {
      listHistory: ({ organizationId, limit, cursor }) => {
        requireUuid({ organizationId });
        return history.page(organizationId, { limit: listLimit(limit, LIST), cursor });
      },
    },
    { listHistory: { callers: ['application', 'admin'], action: 'history.read' } },
  );
