import { declareCollection, nativeCollection, openCollection, required, type Connection } from '@invoicing/mongo';

/** What a key's last minute looks like after a batch was offered. */
export interface RateState {
  /** How many of the offered requests were accepted. */
  readonly granted: number;
  /** How many of the last minute's requests are accepted in all. */
  readonly used: number;
  /** Until the oldest of them leaves the window, in milliseconds. */
  readonly oldestLeavesInMs: number;
}

export interface RateWindows {
  /** How long an accepted request may wait for its use; 0: not at all. */
  readonly holdMs: number;
  /** Offers `count` requests of one key at once; exact on all replicas together. */
  offer: (key: string, count: number) => Promise<RateState>;
}

interface RateDocument {
  readonly _id: string;
  readonly now: number;
  readonly granted: number;
  /** Accepted requests: `n` of them at `at` (epoch milliseconds). */
  readonly hits: readonly { at: number; n: number }[];
}

const rateCollection = declareCollection<RateDocument>('rate', {
  shardKey: { _id: 'hashed' },
  // Once a request: what the hits look like inside is not checked again each time.
  fields: { now: required(Number), granted: required(Number), hits: required(Array) },
  indexes: [],
});

const MINUTE_MS = 60_000;
// Up to this limit every accepted request keeps its own millisecond. Above it a document would grow too large: requests share quarters
// of a second. Each counts from the last moment at which it may be used, so the limit still holds in every minute and Retry-After
// stays true; a place becomes free up to a quarter and a hold later than it could.
const EXACT_UP_TO = 600;
const COARSE_MS = 250;
const HOLD_MS = 500;

/**
 * A sliding minute per key in one document, changed by one atomic pipeline update. The clock is the store's (`$$NOW`), so replicas whose
 * clocks differ agree. Not journaled: after a crash of the store the worst is a forgotten minute.
 */
export async function openRateWindows(
  connection: Connection,
  limit: number,
  windowMs = MINUTE_MS,
): Promise<RateWindows> {
  const model = await openCollection(connection, rateCollection);
  const windows = nativeCollection(model, { writeConcern: { w: 1, journal: false } });
  const [grainMs, holdMs] = limit <= EXACT_UP_TO ? [1, 0] : [COARSE_MS, HOLD_MS];
  const sum = (input: unknown) => ({ $sum: { $map: { input, as: 'hit', in: '$$hit.n' } } });
  const hitsWhere = (cond: unknown) => ({ $filter: { input: '$hits', as: 'hit', cond } });

  const pipeline = (count: number) => [
    { $set: { now: { $toDouble: { $toLong: '$$NOW' } }, hits: { $ifNull: ['$hits', []] } } },
    { $set: { hits: hitsWhere({ $gt: ['$$hit.at', { $subtract: ['$now', windowMs] }] }) } },
    { $set: { granted: { $max: [0, { $min: [count, { $subtract: [limit, sum('$hits')] }] }] } } },
    { $set: { slot: { $add: [{ $multiply: [{ $ceil: { $divide: ['$now', grainMs] } }, grainMs] }, holdMs] } } },
    {
      $set: {
        hits: {
          $cond: [
            { $eq: ['$granted', 0] },
            '$hits',
            {
              $concatArrays: [
                hitsWhere({ $ne: ['$$hit.at', '$slot'] }),
                [{ at: '$slot', n: { $add: ['$granted', sum(hitsWhere({ $eq: ['$$hit.at', '$slot'] }))] } }],
              ],
            },
          ],
        },
      },
    },
    { $unset: 'slot' },
  ];

  return {
    holdMs,
    offer: async (key, count) => {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const document = await windows.findOneAndUpdate({ _id: key }, pipeline(count), options);
      const { now, granted, hits } = document as RateDocument;
      const used = hits.reduce((total, { n }) => total + n, 0);
      const oldest = hits.reduce((least, { at }) => Math.min(least, at), Infinity);
      return { granted, used, oldestLeavesInMs: hits.length === 0 ? 0 : oldest + windowMs - now };
    },
  };
}
