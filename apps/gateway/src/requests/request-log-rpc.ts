import { RequestsService } from '@invoicing/contracts/invoicing/gateway/v1/requests';
import { validationError } from '@invoicing/errors';
import { bindService, listLimit } from '@invoicing/rpc';
import { isUuid } from '@invoicing/rules';
import type { LoggedRequest, RequestLogStore } from './request-log-store';

const LIST = { usual: 50, most: 100 };
const MAX_REQUEST_ID = 128;

/** gRPC gateway.v1.Requests: an organisation looks up what its programs asked. */
export const requestsService = (store: Pick<RequestLogStore, 'page'>) =>
  bindService(
    RequestsService,
    {
      listRequests: async ({ organizationId, limit, cursor, requestId, failed }) => {
        if (!isUuid(organizationId)) throw validationError([{ path: '/organizationId', message: 'must be a UUID' }]);
        if ((requestId ?? '').length > MAX_REQUEST_ID)
          throw validationError([{ path: '/requestId', message: `has at most ${MAX_REQUEST_ID} characters` }]);
        const filter = { organizationId, requestId, failed };
        const { items, next } = await store.page(filter, listLimit(limit ?? 0, LIST), cursor);
        return { requests: items.map(toMessage), cursor: next };
      },
    },
    { listRequests: { callers: ['application', 'admin'], action: 'keys.manage' } },
  );

const toMessage = ({ requestId, createdAt, method, path, status, code, durationMs, keyId }: LoggedRequest) => ({
  requestId,
  at: createdAt,
  method,
  path,
  status,
  code,
  durationMs,
  keyId,
});
