import { v5 as uuidv5 } from 'uuid';
import { keptMs } from '@invoicing/rules';
import { EdgeError } from '../edge/edge-error';
import { type IdempotencyRecord, type IdempotencyRecords } from './idempotency-record';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface RunOnceRequest {
  readonly keyId: string;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
}

const LEASE_MS = 120_000;
// A claim is valid so long by itself; after that the heartbeats of its process keep it, while anything of its own runs.
const ALIVE_MS = 6_000;
// Longer than any call: an attempt begins only while its lease lasts for all of it.
const CALL_MS = 30_000;
// From the claim until it is done; the id of what is created follows from the request, so even a repeat after that meets it.
const UNFINISHED_MS = keptMs('unfinishedRequests');
const DONE_MS = keptMs('idempotentAnswers');
// A fixed namespace: any other one would break the promise for requests on their way during a deployment.
const OPERATIONS = '6f1c3a52-7c3e-5d0b-9a55-0f4de0c6c8a7';

/**
 * Runs a request at most once at a time and answers its repeats from what was stored. `run` gets the operation's id: services create
 * what it asks for under that id, so even an attempt that runs again (after a crash, a lost answer, a lease that ran out) meets what an
 * earlier one made; attempts are counted from 1. Throws 409 `idempotency_conflict` and `idempotency_in_flight`, and whatever `run` throws.
 */
export async function runOnce(
  records: IdempotencyRecords,
  request: RunOnceRequest,
  run: (opId: string, attempt: number) => Promise<Answer>,
  isRefusal: (error: unknown) => boolean,
  now: () => number = Date.now,
): Promise<Answer & { replayed: boolean }> {
  const claim = await claimRecord(records, request, now);
  if (claim.state === 'done') return replay(claim);
  // The store's answer was so slow that another attempt may begin, or has begun.
  if (claim.leaseUntil.getTime() - now() < CALL_MS) throw inFlight(claim, now());
  const { _id, opId, attempt } = claim;
  let answer: Answer;
  try {
    answer = await run(opId, attempt);
  } catch (error) {
    // A refusal wrote nothing and frees the key, unless an earlier attempt came to an unclear end: that one may have written.
    const letGo = isRefusal(error) && attempt === 1 ? records.remove : records.release;
    await letGo(_id, opId, attempt).catch((failure: unknown) => {
      throw new AggregateError([error, failure], 'the request failed and its idempotency record could not be let go');
    });
    throw error;
  }
  const expiresAt = new Date(now() + DONE_MS);
  const isOurs = await records.finish(_id, opId, { ...answer, expiresAt }).catch((error: unknown) => {
    // It was done: `unavailable` would say that nothing was. The key stays taken, and a repeat meets what was made.
    throw new EdgeError('generic', { cause: error });
  });
  if (isOurs) return { ...answer, replayed: false };
  // Another attempt of the same operation was first: its answer is the one that every repeat gets.
  const stored = await records.find(_id);
  return stored?.state === 'done' && stored.opId === opId ? replay(stored) : { ...answer, replayed: false };
}

async function claimRecord(
  records: IdempotencyRecords,
  { keyId, idempotencyKey, fingerprint }: RunOnceRequest,
  now: () => number,
): Promise<IdempotencyRecord> {
  const _id = `${keyId}:${idempotencyKey}`;
  const lease = () => ({
    leaseUntil: new Date(now() + LEASE_MS),
    owner: records.owner,
    aliveUntil: new Date(now() + ALIVE_MS),
  });
  const claim: IdempotencyRecord = {
    _id,
    fingerprint,
    state: 'running',
    attempt: 1,
    ...lease(),
    // With the fingerprint in it, a key that became free can never meet what another body made.
    opId: uuidv5(`${_id}:${fingerprint}`, OPERATIONS),
    status: null,
    body: null,
    expiresAt: new Date(now() + UNFINISHED_MS),
  };
  if (await records.insert(claim)) return claim;
  const existing = await records.find(_id);
  // Freed between the two steps: its first request is just ending.
  if (!existing) throw inFlight(undefined, now());
  if (existing.fingerprint !== fingerprint) throw new EdgeError('idempotency_conflict');
  if (existing.state === 'done') return existing;
  // The lease ends early when its gateway is gone: the next attempt runs under the same operation id, as it would after the lease.
  if (existing.state === 'running' && existing.leaseUntil.getTime() > now() && !(await records.isGone(existing)))
    throw inFlight(existing, now());
  const taken = lease();
  if (!(await records.takeOver(existing, taken))) throw inFlight(undefined, now());
  return { ...existing, ...taken, attempt: existing.attempt + 1 };
}

/** When to come back, in whole seconds: what has run for long is given as long again, at most what is left of its lease. */
function inFlight(running: IdempotencyRecord | undefined, now: number): EdgeError {
  const leftMs = running ? running.leaseUntil.getTime() - now : 0;
  const ranMs = running ? LEASE_MS - leftMs : 0;
  const seconds = Math.max(1, Math.min(Math.ceil(ranMs / 1000), Math.ceil(leftMs / 1000)));
  return new EdgeError('idempotency_in_flight', { headers: { 'retry-after': String(seconds) } });
}

const replay = ({ status, body }: IdempotencyRecord): Answer & { replayed: boolean } => ({
  status: status as number,
  body: body as string,
  replayed: true,
});
