import { CommandError } from '../command-error';
import { errorName } from '../error-codes';
import { isNumber, toDouble } from '../bson/arithmetic';
import { isDoc, type Doc, type Value } from '../bson/value';

/** The client gets no answer: its connection is closed. */
export class ConnectionClosed extends Error {}

interface FailPoint {
  data: Doc;
  /** How often it still applies, and how many chances pass before it does. */
  times: number;
  skip: number;
  probability: number;
}

/** A command that is about to run, as fail points see it. */
export interface Attempt {
  /** All names that the command goes by. */
  names: string[];
  namespace: string;
  application: string | undefined;
}

const known = ['failCommand', 'onPrimaryTransactionalWrite'];

/** MongoDB's fail points as its drivers' tests use them. Only a store that is started with test commands has them. */
export class FailPoints {
  private readonly set = new Map<string, FailPoint>();

  /** `configureFailPoint`; gives how often it has applied. */
  configure({ configureFailPoint: name, mode, data = {} }: Doc): void {
    if (typeof name !== 'string' || !known.includes(name))
      throw new CommandError('FailPointSetFailed', `${String(name)} not found: there are ${known.join(' and ')}`);
    if (!isDoc(data)) throw new CommandError('TypeMismatch', "BSON field 'configureFailPoint.data' must be an object");
    const parsed = parseMode(mode);
    if (parsed) this.set.set(name, { data, ...parsed });
    else this.set.delete(name);
  }

  /** Before a command: waits, throws what the fail point asks for, or gives the write concern error that its answer must carry. */
  async before(attempt: Attempt): Promise<Doc | undefined> {
    const data = this.hit('failCommand', (candidate) => concerns(candidate, attempt));
    if (!data) return undefined;
    if (data.blockConnection === true)
      await new Promise((resolve) => setTimeout(resolve, toDouble((data.blockTimeMS as number | undefined) ?? 0)));
    if (data.closeConnection === true) throw new ConnectionClosed('by a fail point');
    const labels = Array.isArray(data.errorLabels) ? { errorLabels: data.errorLabels } : undefined;
    if (isDoc(data.writeConcernError)) return { writeConcernError: data.writeConcernError, ...labels };
    if (data.errorCode === undefined) return undefined;
    const message = `Failing command via 'failCommand' failpoint`;
    throw new CommandError(errorName(toDouble(data.errorCode)), message, labels);
  }

  /** Within a retryable write, before its commit. Gives what to do after it. */
  withinWrite(): (() => void) | undefined {
    const data = this.hit('onPrimaryTransactionalWrite', () => true);
    if (!data) return undefined;
    const { failBeforeCommitExceptionCode: code, closeConnection = true } = data;
    if (code !== undefined) {
      if (closeConnection === true) throw new ConnectionClosed('by a fail point');
      throw new CommandError(errorName(toDouble(code)), 'onPrimaryTransactionalWrite fail point enabled');
    }
    return () => {
      if (closeConnection === true) throw new ConnectionClosed('by a fail point');
    };
  }

  private hit(name: string, matches: (data: Doc) => boolean): Doc | undefined {
    const point = this.set.get(name);
    if (!point || !matches(point.data)) return undefined;
    if (point.skip > 0) {
      point.skip--;
      return undefined;
    }
    if (point.times <= 0 || Math.random() >= point.probability) return undefined;
    point.times--;
    return point.data;
  }
}

function parseMode(mode: Value | undefined): Omit<FailPoint, 'data'> | undefined {
  const always = { times: Infinity, skip: 0, probability: 1 };
  if (mode === 'off') return undefined;
  if (mode === 'alwaysOn') return always;
  if (isDoc(mode)) {
    const { times, skip, activationProbability } = mode;
    if (isNumber(times)) return { ...always, times: toDouble(times!) };
    if (isNumber(skip)) return { ...always, skip: toDouble(skip!) };
    if (isNumber(activationProbability)) return { ...always, probability: toDouble(activationProbability!) };
  }
  throw new CommandError('BadValue', `unknown mode of a fail point: ${JSON.stringify(mode)}`);
}

function concerns(data: Doc, { names, namespace, application }: Attempt): boolean {
  const wanted = (data.failCommands as string[] | undefined) ?? [];
  if (!names.some((name) => wanted.includes(name))) return false;
  if (data.appName !== undefined && data.appName !== application) return false;
  return data.namespace === undefined || data.namespace === namespace;
}
