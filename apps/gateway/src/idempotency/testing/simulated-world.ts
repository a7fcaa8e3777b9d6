import { AppError } from '@invoicing/errors';
import { EdgeError, edgeErrorOf } from '../../edge/edge-error';
import { type IdempotencyRecord, type IdempotencyRecords } from '../idempotency-record';
import { runOnce, type Answer } from '../run-once';
import { SeededRandom } from './seeded-random';
import { StepScheduler } from './step-scheduler';

/** What a known-bad variant does differently. The simulation must catch each of them. */
export interface Faults {
  /** Each attempt creates under an id of its own. */
  readonly newIdPerAttempt?: boolean;
  /** The answer is stored whatever is there. */
  readonly finishWithoutCompare?: boolean;
  /** Whoever finds an old lease takes it. */
  readonly takeOverWithoutCompare?: boolean;
  /** Whoever finds an old lease takes the record with the same attempt, even when it was freed and claimed anew meanwhile. */
  readonly takeOverByAttemptAlone?: boolean;
  /** An unclear end frees the key like a refusal. */
  readonly removeAfterUnclearEnd?: boolean;
  /** The claim is acknowledged before it is on disk. */
  readonly claimNotJournaled?: boolean;
  /** The call comes before the claim. */
  readonly callBeforeClaim?: boolean;
  /** A process that lives and works is taken for gone. */
  readonly livingTakenForGone?: boolean;
  /** A refusal in a later attempt frees the key although an earlier one may have written. */
  readonly removeInEveryAttempt?: boolean;
}

export interface Finding {
  readonly rule: 'one document a key' | 'identical answers' | 'one running attempt' | 'answered what was made';
  readonly detail: string;
}

const LEASE_MS = 120_000;
const KEYS = 2;
const BODIES = 2;

/** Gateways that crash, clients that repeat, a store and a service that live on. One seed is one history. */
export class SimulatedWorld {
  readonly findings: Finding[] = [];
  private readonly random: SeededRandom;
  private readonly scheduler: StepScheduler;
  private readonly stored = new Map<string, IdempotencyRecord>();
  private readonly documents = new Map<string, { key: number; body: number }>();
  private readonly answers = new Map<string, string>();
  private readonly running = new Map<string, { process: number; since: number }[]>();
  private now = 1_000_000;
  private processes = 1;
  private nonce = 0;
  private isRefusing = false;

  constructor(
    seed: number,
    private readonly faults: Faults = {},
  ) {
    this.random = new SeededRandom(seed);
    this.scheduler = new StepScheduler(this.random);
  }

  /** How many answers were replays and how many documents were made: a simulation in which nothing happens proves nothing. */
  counts = { created: 0, replayed: 0, refused: 0, unclear: 0, conflicts: 0, inFlight: 0, kills: 0, takeovers: 0 };

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      if (this.random.chance(0.12)) this.client(this.random.below(KEYS), this.random.below(BODIES));
      if (this.random.chance(0.02)) this.restartGateway();
      if (this.random.chance(0.05)) this.now += this.random.chance(0.3) ? LEASE_MS : 5_000;
      if (this.random.chance(0.05)) this.isRefusing = !this.isRefusing;
      await this.scheduler.runOne();
    }
    this.checkDocuments();
  }

  private restartGateway(): void {
    this.counts.kills++;
    // Two replicas: mostly the younger one dies, sometimes both.
    this.scheduler.kill(this.processes);
    if (this.random.chance(0.3)) this.scheduler.kill(this.processes - 1);
    if (this.faults.claimNotJournaled)
      for (const [id, record] of this.stored) if (record.state === 'running') this.stored.delete(id);
    this.processes++;
  }

  /** One request through one of the running replicas, however it ends. */
  private client(key: number, body: number): void {
    const process = this.processes - (this.random.chance(0.5) && this.scheduler.isAlive(this.processes - 1) ? 1 : 0);
    const request = { keyId: 'k', idempotencyKey: `i${key}`, fingerprint: `f${body}` };
    const since = this.now;
    const call = (opId: string): Promise<Answer> => this.service(process, since, opId, key, body);
    const isRefusal = (error: unknown): boolean =>
      !!this.faults.removeAfterUnclearEnd || edgeErrorOf(error).status < 500;
    const answering = this.faults.callBeforeClaim
      ? call(`${key}:${body}`).then((answer) =>
          runOnce(
            this.records(process),
            request,
            async () => answer,
            isRefusal,
            () => this.now,
          ),
        )
      : runOnce(this.records(process), request, call, isRefusal, () => this.now);
    answering.then(
      (answer) => this.answered(key, body, answer),
      (error: unknown) => this.refused(error),
    );
  }

  private answered(key: number, body: number, { body: text, replayed }: Answer & { replayed: boolean }): void {
    if (replayed) this.counts.replayed++;
    const earlier = this.answers.get(`${key}/${body}`);
    if (earlier !== undefined && earlier !== text) this.find('identical answers', `${earlier} then ${text}`);
    this.answers.set(`${key}/${body}`, text);
    if (!this.documents.has((JSON.parse(text) as { id: string }).id)) this.find('answered what was made', text);
  }

  private refused(error: unknown): void {
    if (!(error instanceof EdgeError))
      this.counts[error instanceof AppError && error.kind === 'blocked' ? 'refused' : 'unclear']++;
    else if (error.code === 'idempotency_conflict') this.counts.conflicts++;
    else this.counts.inFlight++;
  }

  /** A service that creates by the operation's id, may refuse, and whose answer may get lost. Its answers are never twice the same. */
  private async service(process: number, since: number, opId: string, key: number, body: number): Promise<Answer> {
    const id = this.faults.newIdPerAttempt ? `${opId}-${this.nonce++}` : opId;
    const slot = `i${key}`;
    const others = (this.running.get(slot) ?? []).filter((each) => this.scheduler.isAlive(each.process));
    if (others.some((other) => this.now - other.since < LEASE_MS)) this.find('one running attempt', slot);
    const own = { process, since };
    this.running.set(slot, [...others, own]);
    try {
      return await this.scheduler.command(process, () => {
        if (this.isRefusing && !this.documents.has(id)) throw new AppError('blocked', 'billing_readonly', 'refused');
        if (this.random.chance(0.1)) throw new AppError('unavailable', 'unavailable', 'before the write');
        if (!this.documents.has(id)) this.counts.created++;
        this.documents.set(id, { key, body });
        if (this.random.chance(0.2)) throw new AppError('unfinished', 'generic', 'after the write');
        return { status: 201, body: JSON.stringify({ id, nonce: this.nonce++ }) };
      });
    } finally {
      this.running.set(
        slot,
        (this.running.get(slot) ?? []).filter((each) => each !== own),
      );
    }
  }

  private records(process: number): IdempotencyRecords {
    const { stored, faults, scheduler } = this;
    const when = (
      id: string,
      fits: (record: IdempotencyRecord) => boolean,
      change: Partial<IdempotencyRecord>,
    ): boolean => {
      const record = stored.get(id);
      if (!record || !fits(record)) return false;
      stored.set(id, { ...record, ...change });
      return true;
    };
    const isMine = (opId: string, attempt: number) => (record: IdempotencyRecord) =>
      record.opId === opId && record.state === 'running' && (faults.removeInEveryAttempt || record.attempt === attempt);
    const remove = (id: string, opId: string, attempt: number): Promise<void> =>
      scheduler.command(process, () => {
        const record = stored.get(id);
        if (record && isMine(opId, attempt)(record)) stored.delete(id);
      });
    return {
      insert: (record) => scheduler.command(process, () => !stored.has(record._id) && !!stored.set(record._id, record)),
      find: (id) => scheduler.command(process, () => stored.get(id) ?? null),
      owner: String(process),
      // A heartbeat is never late here; a process that only seems to be gone is the variant.
      isGone: ({ owner }) =>
        scheduler.command(process, () => !!faults.livingTakenForGone || !scheduler.isAlive(Number(owner))),
      takeOver: ({ _id, opId, attempt, leaseUntil: seenLease }, lease) =>
        scheduler.command(process, () => {
          const isSeen = (record: IdempotencyRecord): boolean =>
            faults.takeOverByAttemptAlone || (record.opId === opId && record.leaseUntil === seenLease);
          const fits = (record: IdempotencyRecord): boolean =>
            faults.takeOverWithoutCompare || (record.state !== 'done' && record.attempt === attempt && isSeen(record));
          const taken = when(_id, fits, { ...lease, state: 'running', attempt: attempt + 1 });
          if (taken) this.counts.takeovers++;
          return taken;
        }),
      finish: (id, opId, answer) =>
        scheduler.command(process, () => {
          const fits = (record: IdempotencyRecord): boolean =>
            faults.finishWithoutCompare || (record.opId === opId && record.state !== 'done');
          return when(id, fits, { state: 'done', ...answer });
        }),
      release: (id, opId, attempt) =>
        faults.removeInEveryAttempt
          ? remove(id, opId, attempt)
          : scheduler.command(process, () => void when(id, isMine(opId, attempt), { state: 'open' })),
      remove,
    };
  }

  private checkDocuments(): void {
    const byKey = new Map<number, string[]>();
    for (const [id, { key }] of this.documents) byKey.set(key, [...(byKey.get(key) ?? []), id]);
    for (const [key, ids] of byKey) if (ids.length > 1) this.find('one document a key', `${key}: ${ids.join(', ')}`);
  }

  private find(rule: Finding['rule'], detail: string): void {
    this.findings.push({ rule, detail });
  }
}
