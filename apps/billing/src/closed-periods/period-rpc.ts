import { PeriodsService, type ClosedPeriod as Message } from '@invoicing/contracts/invoicing/billing/v1/periods';
import { bindService, type BoundService } from '@invoicing/rpc';
import { closePeriod, reopenPeriod, type PeriodPorts } from './close-period';
import type { ClosedPeriod } from './closed-period';

const toPeriod = ({ _id: id, closedBy, reopenedBecause, ...period }: ClosedPeriod): Message => ({
  id,
  from: period.from,
  to: period.to,
  closedAt: period.closedAt,
  closedBy: closedBy.label ?? closedBy.id,
  sha256: period.sha256,
  count: period.count,
  reopenedBecause: reopenedBecause ?? undefined,
});

/** Periods of the books: closed, listed, opened again. */
export const periodsService = (ports: PeriodPorts): BoundService =>
  bindService(
    PeriodsService,
    {
      closePeriod: async ({ organizationId, from, to }, call) => {
        const { period, draftIds } = await closePeriod(ports, organizationId, { from, to }, call);
        return { period: toPeriod(period), draftIds: [...draftIds] };
      },
      listPeriods: async ({ organizationId }) => ({
        periods: (await ports.closedPeriods.list(organizationId)).map(toPeriod),
      }),
      reopenPeriod: async ({ organizationId, periodId, reason }, call) =>
        toPeriod(await reopenPeriod(ports, organizationId, periodId, reason, call)),
    },
    {
      closePeriod: { callers: ['application', 'admin'], action: 'periods.close' },
      listPeriods: { callers: ['application', 'admin'], action: 'exports.create' },
      reopenPeriod: { callers: ['application', 'admin'], action: 'periods.close' },
    },
  );
