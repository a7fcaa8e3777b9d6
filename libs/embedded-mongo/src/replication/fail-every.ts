import { CommandError } from '../command-error';
import { type ErrorName } from '../error-codes';

/** Commands that a driver sends again by itself when they fail so: reads, and writes with a transaction number. */
const reads = new Set(['find', 'aggregate', 'count', 'distinct', 'listCollections', 'listIndexes', 'listDatabases']);

/** What an election does to a command; whether before it was run or when it was done and only its answer is lost. */
const failures: { error: ErrorName; done: boolean }[] = [
  { error: 'NotWritablePrimary', done: false },
  { error: 'InterruptedDueToReplStateChange', done: true },
  { error: 'PrimarySteppedDown', done: false },
  { error: 'NotWritablePrimary', done: true },
];

/**
 * Makes every n-th command fail that its driver then repeats; the repetition is let through, as an election ends. A service
 * that works under it relies on nothing but what production gives. Connections stay open: closing one makes a driver give up
 * on others, which may then have no attempt left.
 */
export class FailEvery {
  private counted = 0;
  private failed = 0;
  /** Sessions whose last command was made to fail: the next one repeats it. */
  private readonly repeating = new Set<string>();

  constructor(private readonly n: number) {}

  /** How many commands were made to fail. */
  get failures(): number {
    return this.failed;
  }

  /** Throws, or gives what the command must fail with when it is done. */
  before(name: string, session: string | undefined, retryableWrite: boolean): CommandError | undefined {
    if (session === undefined || !(retryableWrite || reads.has(name))) return undefined;
    if (this.repeating.delete(session) || ++this.counted % this.n !== 0) return undefined;
    this.repeating.add(session);
    const { error, done } = failures[this.failed++ % failures.length]!;
    const failure = new CommandError(error, `every command number ${this.n} fails`);
    if (!done) throw failure;
    return failure;
  }
}
