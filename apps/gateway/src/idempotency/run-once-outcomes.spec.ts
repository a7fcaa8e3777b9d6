import { AppError } from '@invoicing/errors';
import { type IdempotencyRecord, type IdempotencyRecords } from './idempotency-record';
import { runOnce } from './run-once';

// What the simulation meets rarely, one by one: a record that another attempt has touched meanwhile.

const request = { keyId: 'key', idempotencyKey: 'k', fingerprint: 'f' };
const NOW = Date.UTC(2026, 0, 1);
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.kind === 'blocked';

/** A store of one record; `earlier`: what an attempt before has left. */
function storeOf(earlier?: Partial<IdempotencyRecord>) {
  let record: IdempotencyRecord | null = null;
  const ended: string[] = [];
  const records: IdempotencyRecords = {
    owner: 'us',
    isGone: async () => false,
    insert: async (claim) => {
      if (!record) record = { ...claim, ...earlier };
      return earlier === undefined;
    },
    find: async () => record,
    takeOver: async (seen, taken) => ((record = { ...seen, ...taken, attempt: seen.attempt + 1 }), true),
    finish: async (_id, _opId, answer) => {
      if (record?.state === 'done') return false;
      record = { ...record!, state: 'done', ...answer };
      return true;
    },
    release: async () => void ended.push('released'),
    remove: async () => void ended.push('removed'),
  };
  return {
    records,
    ended,
    finishElsewhere: (body: string) => (record = { ...record!, state: 'done', status: 201, body }),
  };
}
const refuse = async (): Promise<never> => {
  throw new AppError('blocked', 'billing_readonly', 'refused');
};
const now = (): number => NOW;
/** An attempt came to an unclear end. */
const open = { state: 'open', attempt: 1, leaseUntil: new Date(NOW - 1) } as const;

test('a refusal frees the key, but not where an earlier attempt may have written', async () => {
  const first = storeOf();
  await expect(runOnce(first.records, request, refuse, isRefusal, now)).rejects.toMatchObject({ kind: 'blocked' });
  const second = storeOf(open);
  await expect(runOnce(second.records, request, refuse, isRefusal, now)).rejects.toMatchObject({ kind: 'blocked' });
  expect([first.ended, second.ended]).toEqual([['removed'], ['released']]);
});

test('an unclear failure frees nothing', async () => {
  const { records, ended } = storeOf();
  const fail = async (): Promise<never> => {
    throw new Error('the connection is gone');
  };
  await expect(runOnce(records, request, fail, isRefusal, now)).rejects.toThrow('gone');
  expect(ended).toEqual(['released']);
});

test('what was done is not said to be unavailable when its answer cannot be kept', async () => {
  const { records, ended } = storeOf();
  const finish = async (): Promise<never> => {
    throw Object.assign(new Error('connection timed out'), { name: 'MongoNetworkTimeoutError' });
  };
  const run = async () => ({ status: 201, body: 'made' });
  const outcome = runOnce({ ...records, finish }, request, run, isRefusal, now);
  await expect(outcome).rejects.toMatchObject({ code: 'generic' });
  expect(ended).toEqual([]);
});

test('whoever finishes second answers what the first has stored', async () => {
  const { records, finishElsewhere } = storeOf(open);
  const run = async () => {
    finishElsewhere('the answer of another attempt');
    return { status: 201, body: 'ours' };
  };
  expect(await runOnce(records, request, run, isRefusal, now)).toEqual({
    ...{ status: 201, body: 'the answer of another attempt', replayed: true },
  });
});
