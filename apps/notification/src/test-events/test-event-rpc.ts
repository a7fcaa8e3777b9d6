import { TestEventsService } from '@invoicing/contracts/invoicing/notification/v1/test_events';
import { validationError } from '@invoicing/errors';
import { bindService, type BoundService } from '@invoicing/rpc';
import { isUuid } from '@invoicing/rules';
import { causeTestEvent, type CausePorts } from './cause-test-event';
import type { TestEventStore } from './test-event-store';

export const testEventsService = (store: Pick<TestEventStore, 'since'>, causing: CausePorts): BoundService =>
  bindService(
    TestEventsService,
    {
      listTestEvents: async ({ organizationId, since }) => {
        if (!isUuid(organizationId)) throw validationError([{ path: '/organizationId', message: 'must be a UUID' }]);
        if (!since) throw validationError([{ path: '/since', message: 'is required' }]);
        const found = await store.since(organizationId, since);
        return { events: found.map(({ _id: id, type, body, createdAt: at }) => ({ id, type, body, at })) };
      },
      causeTestEvent: async (wanted, call) => {
        await causeTestEvent(causing, wanted, call);
        return {};
      },
    },
    { listTestEvents: { callers: ['gateway'] }, causeTestEvent: { callers: ['gateway'], dryRun: true } },
  );
