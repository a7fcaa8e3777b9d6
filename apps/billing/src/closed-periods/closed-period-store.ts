import {
  actorSchema,
  declareCollection,
  openCollection,
  pendingChangeIndex,
  recordedFields,
  required,
  type Connection,
  type History,
  type Model,
  type Recorded,
} from '@invoicing/mongo';
import { partySchema } from '../invoices/invoice-store';
import type { ClosedPeriod, ClosedPeriods } from './closed-period';

type PeriodDocument = ClosedPeriod & Recorded;

const periodCollection = declareCollection<PeriodDocument>('closed_periods', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    from: required(String),
    to: required(String),
    closedAt: required(Date),
    closedBy: required(actorSchema),
    closedOn: required(String),
    seller: required(partySchema),
    sha256: required(String),
    count: required(Number),
    reopenedBecause: String,
    ...recordedFields,
  },
  indexes: [[{ organizationId: 1, to: 1, from: 1 }], pendingChangeIndex],
});

export const openClosedPeriods = (connection: Connection): Promise<Model<PeriodDocument>> =>
  openCollection(connection, periodCollection);

/** What was closed, and the history of it. */
export function mongoClosedPeriods(periods: Model<PeriodDocument>, history: History): ClosedPeriods {
  return {
    find: (organizationId, id) => periods.findOne({ organizationId, _id: id }).lean<ClosedPeriod>().exec(),
    list: (organizationId) => periods.find({ organizationId }).sort({ to: -1, from: -1 }).lean<ClosedPeriod[]>().exec(),
    covering: async (organizationId, { from, to }) => {
      const closed = { organizationId, reopenedBecause: null };
      const exact = await periods
        .findOne({ ...closed, from, to })
        .lean<ClosedPeriod>()
        .exec();
      if (exact) return exact;
      const reaching = periods.findOne({ ...closed, to: { $gte: to } }).sort({ to: 1, from: 1 });
      return reaching.lean<ClosedPeriod>().exec();
    },
    insert: (period, as) => history.insert<PeriodDocument>(periods, period, as),
    change: (seen, $set, as) => history.change<PeriodDocument>(periods, seen, { ...as, update: { $set } }),
  };
}
