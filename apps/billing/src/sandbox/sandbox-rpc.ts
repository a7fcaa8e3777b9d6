import { SandboxService } from '@invoicing/contracts/invoicing/billing/v1/sandbox';
import { bindService, type BoundService } from '@invoicing/rpc';
import { causeEvent, type SandboxPorts } from './cause-event';

/** What others do to the invoices of test organisations. */
export const sandboxService = (ports: SandboxPorts): BoundService =>
  bindService(
    SandboxService,
    {
      causeEvent: async (wanted, call) => {
        await causeEvent(ports, wanted, call);
        return {};
      },
    },
    { causeEvent: { callers: ['gateway'], dryRun: true } },
  );
