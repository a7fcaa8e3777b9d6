import { ClocksService, type Clock as ClockMessage } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { bindService, type BoundService } from '@invoicing/rpc';
import type { Clock } from './clock';
import { clearClock, moveClock, readClock, type ClockPorts } from './move-clock';

export const clocksService = (ports: ClockPorts): BoundService =>
  bindService(
    ClocksService,
    {
      getClock: async ({ organizationId }) => toMessage(await readClock(ports, organizationId)),
      moveClock: async ({ organizationId, at, by }, call) =>
        toMessage(await moveClock(ports, organizationId, { at, by }, call)),
      clearClock: async ({ organizationId }, call) => toMessage(await clearClock(ports, organizationId, call)),
      listClocks: async () => {
        const ahead = await ports.clocks.read();
        return { clocks: [...ahead].map(([_id, aheadMs]) => toMessage({ _id, aheadMs })) };
      },
    },
    {
      getClock: { callers: ['gateway', 'application', 'admin'], action: 'settings.read' },
      moveClock: { callers: ['gateway', 'application', 'admin'], action: 'settings.write', dryRun: true },
      clearClock: { callers: ['gateway', 'application', 'admin'], action: 'settings.write', dryRun: true },
      // Facts for the services that go by them: no person asks for every organisation's.
      listClocks: { callers: ['checkout', 'notification'] },
    },
  );

const toMessage = ({ _id, aheadMs }: Clock): ClockMessage => ({
  organizationId: _id,
  now: new Date(Date.now() + aheadMs),
  aheadMs,
});
