import type { InsertOutcome, Numbered, SeriesTail } from '../numbering/number-series';

/** A document of the simulation: `job` is what was asked for, whatever id an attempt gave it. */
export interface SimulatedDocument extends Numbered {
  readonly job: string;
  readonly previousHash: string;
}

interface Command {
  /** Advances by one step; answers whether it ended. */
  step: () => boolean;
  hasArrived: () => boolean;
  /** What its client is told when the store goes down under it. */
  fail: (error: Error) => void;
}

export class UnknownOutcome extends Error {}

/**
 * A store that journals late, whose commands take many steps and may outlive the client that sent them, and that loses the
 * un-journaled end of its log when it crashes. The caller decides what happens next: `advance` or `crash`.
 */
export class CrashingStore {
  private log: SimulatedDocument[] = [];
  private journaled = 0;
  private commands: Command[] = [];
  private counters = new Map<string, number>();

  constructor(private readonly random: () => number) {}

  get busy(): boolean {
    return this.commands.length > 0;
  }

  get durable(): readonly SimulatedDocument[] {
    return this.log.slice(0, this.journaled);
  }

  /** One step of one command, chosen at random. */
  advance(): void {
    const index = Math.floor(this.random() * this.commands.length);
    if (this.commands[index]?.step()) this.commands.splice(index, 1);
  }

  /** Commands end in the middle of what they do, those on their way arrive after the restart, and an un-journaled end of the log is gone. */
  crash(): void {
    const kept = this.journaled + Math.floor(this.random() * (this.log.length - this.journaled + 1));
    this.log = this.log.slice(0, kept);
    this.journaled = kept;
    const interrupted = this.commands.filter((command) => command.hasArrived());
    this.commands = this.commands.filter((command) => !command.hasArrived());
    for (const command of interrupted) command.fail(new UnknownOutcome('the store went down'));
  }

  /** The reply to any command may be lost, before or after it was carried out. */
  private send<T>(work: () => Generator<void, T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let running: Generator<void, T> | undefined;
      const loses = this.random() < 0.08;
      this.commands.push({
        step: () => {
          // The first step is the arrival: until then anything may overtake it.
          if (!running) {
            running = work();
            if (loses && this.random() < 0.5) reject(new UnknownOutcome('the client gave up'));
            return false;
          }
          const { done, value } = running.next();
          if (!done) return false;
          if (loses) reject(new UnknownOutcome('the reply was lost'));
          else resolve(value);
          return true;
        },
        hasArrived: () => running !== undefined,
        fail: reject,
      });
    });
  }

  insert(documents: readonly SimulatedDocument[], options = { skipsRepeats: false }): Promise<InsertOutcome> {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- a generator has no arrow form.
    const store = this;
    return this.send(function* () {
      let outcome: InsertOutcome = { inserted: documents.length };
      for (const [index, document] of documents.entries()) {
        const sameId = store.log.some(({ _id }) => _id === document._id);
        const sameNumber = store.log.some(({ series, seq }) => series === document.series && seq === document.seq);
        if (sameId && options.skipsRepeats) continue;
        if (sameId || sameNumber) {
          outcome = { inserted: index, refused: sameId ? 'id' : 'number' };
          break;
        }
        store.log.push(document);
        yield;
      }
      // The journal is written now and then, not at once.
      do yield;
      while (store.random() < 0.7);
      store.journaled = store.log.length;
      yield;
      return outcome;
    });
  }

  tail(series: string, options = { durableOnly: true }): Promise<SeriesTail> {
    return this.read(() => this.seen(options.durableOnly).reduce<SeriesTail>(higher(series), { seq: 0, hash: '' }));
  }

  countUpTo(series: string, seq: number, options = { durableOnly: true }): Promise<number> {
    return this.read(
      () => this.seen(options.durableOnly).filter((each) => each.series === series && each.seq <= seq).length,
    );
  }

  find(id: string): Promise<SimulatedDocument | null> {
    return this.read(() => this.seen(true).find(({ _id }) => _id === id) ?? null);
  }

  /** A journaled counter, for the variant that must fail. */
  increment(series: string): Promise<number> {
    return this.read(() => {
      const next = (this.counters.get(series) ?? 0) + 1;
      this.counters.set(series, next);
      return next;
    });
  }

  private read<T>(answer: () => T): Promise<T> {
    return this.send(function* () {
      const value = answer();
      yield;
      return value;
    });
  }

  private seen(durableOnly: boolean): readonly SimulatedDocument[] {
    return durableOnly ? this.durable : this.log;
  }
}

const higher =
  (series: string) =>
  (best: SeriesTail, each: SimulatedDocument): SeriesTail =>
    each.series === series && each.seq > best.seq ? { seq: each.seq, hash: each.hash } : best;
