import { CommandError } from '../command-error';
import { type ErrorName } from '../error-codes';
import { ConnectionClosed } from './fail-points';

/** Commands that a driver sends again by itself when they fail so: reads, and writes with a transaction number. */
const reads = new Set(['find', 'aggregate', 'count', 'distinct', 'listCollections', 'listIndexes', 'listDatabases']);

type Failure = 'closed before' | 'answer lost' | ErrorName;

/** In turn: what a failing network and an election do to a command. */
const failures: Failure[] = ['closed before', 'answer lost', 'NotWritablePrimary', 'InterruptedDueToReplStateChange'];

/**
 * Makes every n-th command fail that its driver then repeats; the repetition is let through, as an election ends. A service
 * that works under it relies on nothing but what production gives.
 */
export class FailEvery {
  private counted = 0;
  private failed = 0;
  /** Sessions whose last command was made to fail: the next one repeats it. */
  private readonly repeating = new Set<string>();

  constructor(private readonly n: number) {}

  get failures(): number {
    return this.failed;
  }

  /** Throws, or says that the answer must be lost. */
  before(name: string, session: string | undefined, retryableWrite: boolean): 'lose the answer' | undefined {
    if (session === undefined || !(retryableWrite || reads.has(name))) return undefined;
    if (this.repeating.delete(session) || ++this.counted % this.n !== 0) return undefined;
    this.repeating.add(session);
    const failure = failures[this.failed++ % failures.length]!;
    if (failure === 'answer lost') return 'lose the answer';
    if (failure === 'closed before') throw new ConnectionClosed('every n-th command fails');
    throw new CommandError(failure, 'every n-th command fails');
  }
}
