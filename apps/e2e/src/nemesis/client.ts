import { randomUUID } from 'node:crypto';
import { AppError, type ErrorKind } from '@invoicing/errors';
import { newCallContext, type CallContext } from '@invoicing/rpc';
import type { History, Operation, Read } from './history';

/** What came back of one request. `again`: nobody knows whether it was done, the same request is sent again. */
export interface Answer {
  readonly verdict: 'done' | 'refused' | 'again';
  readonly code: string;
  readonly text: string;
}

// Within it every request has an answer: what the edge takes at most, and the longest time for which anything is stopped.
const SCALE = Number(process.env['TIME_SCALE'] ?? 1);
const ANSWER_MS = 20_000 * SCALE;
const CALL_MS = 8_000 * SCALE;
const RETRY_MS = 250;
const TRANSIENT: readonly ErrorKind[] = ['unavailable', 'unfinished', 'internal', 'busy', 'exhausted'];
const IN_FLIGHT = /idempotency_in_flight/;

type Wanted = Pick<Operation, 'id' | 'kind'> & Partial<Pick<Operation, 'subject' | 'amount' | 'lines'>>;

/** Everything that clients saw, as it is written down. */
export class Recorder implements History {
  readonly operations: Operation[] = [];
  readonly reads: Read[] = [];
  readonly unanswered: string[] = [];
  private readonly startedAt = performance.now();
  /** Of operations without a clear answer: how to ask once more. */
  private readonly unclear = new Map<Operation, () => Promise<Answer>>();

  /** Until when a client asks again; it can be put forward. */
  constructor(public givesUpAt: number) {}

  now = (): number => performance.now() - this.startedAt;

  /**
   * Sends a request until it is answered for sure; after `patience` unclear answers the client gives up. What is done is sent `replays` times
   * more.
   */
  async run(
    wanted: Wanted,
    send: () => Promise<Answer>,
    {
      patience = Infinity,
      replays = 0,
      madeOf = () => '',
    }: { patience?: number; replays?: number; madeOf?: (text: string) => string } = {},
  ): Promise<Operation> {
    const startedAt = this.now();
    let answer = await send();
    for (let tries = 1; answer.verdict === 'again' && tries < patience && this.now() < this.givesUpAt; tries++) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      answer = await send();
    }
    const outcome = ({ done: 'acknowledged', refused: 'refused', again: 'unknown' } as const)[answer.verdict];
    const endedAt = outcome === 'unknown' ? Infinity : this.now();
    const again: string[] = [];
    for (let i = 0; i < replays && outcome === 'acknowledged'; i++) {
      const replay = await send();
      if (replay.verdict !== 'again') again.push(replay.text);
    }
    const operation: Operation = {
      ...{ subject: '', amount: 0, lines: [], ...wanted },
      ...{ startedAt, endedAt, outcome, code: answer.code, answer: answer.text, replays: again },
      made: outcome === 'acknowledged' ? madeOf(answer.text) : '',
    };
    this.operations.push(operation);
    if (outcome === 'unknown') this.unclear.set(operation, send);
    return operation;
  }

  /** Some who gave up come back when all is quiet: now there is an answer, whatever held the operation up. The others never know. */
  async askAgain(withinMs: number): Promise<void> {
    const until = this.now() + withinMs;
    const some = [...this.unclear].filter((_, index) => index % 2 === 0);
    await Promise.all(
      some.map(async ([operation, send]) => {
        let answer = await send();
        while (answer.verdict === 'again' && this.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          answer = await send();
        }
        if (answer.verdict === 'again')
          this.unanswered.push(`${operation.kind} ${operation.id} when all was quiet (${answer.code})`);
        // One that is refused now may have been refused because it was done long ago: that it was done stays possible.
        if (answer.verdict !== 'done') return;
        const known: Operation = {
          ...operation,
          outcome: 'acknowledged',
          endedAt: this.now(),
          answer: answer.text,
          code: answer.code,
        };
        this.operations[this.operations.indexOf(operation)] = known;
      }),
    );
  }

  /** A read that got an answer; one that did not says nothing. */
  async read(key: string, ask: () => Promise<readonly string[]>): Promise<void> {
    const startedAt = this.now();
    try {
      const values = await ask();
      this.reads.push({ key, startedAt, endedAt: this.now(), values });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  /** One HTTP request, judged by what it says of itself. */
  async http(url: string, init: RequestInit, isDone: (response: Response, text: string) => boolean): Promise<Answer> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      // A connection of its own: what a client does with one that a server closed meanwhile is its own affair.
      const headers = { ...init.headers, connection: 'close' };
      const response = await fetch(url, { redirect: 'manual', ...init, headers, signal });
      const text = await response.text();
      const code = String(response.status);
      if (isDone(response, text)) return { verdict: 'done', code, text: response.headers.get('location') ?? text };
      const isClear =
        response.status >= 400 && response.status < 500 && response.status !== 429 && !IN_FLIGHT.test(text);
      return { verdict: isClear ? 'refused' : 'again', code: `${code} ${text.slice(0, 200)}`, text };
    } catch (error) {
      if (signal.aborted)
        this.unanswered.push(`${init.method ?? 'GET'} ${new URL(url).pathname} at ${Math.round(this.now())} ms`);
      return { verdict: 'again', code: (error as Error).message, text: '' };
    }
  }

  /** One call, judged by its status. */
  async call<T>(operationId: string, ask: (context: CallContext) => Promise<T>): Promise<Answer> {
    try {
      const text = JSON.stringify(await ask(callContext(operationId)));
      return { verdict: 'done', code: 'OK', text };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const verdict = TRANSIENT.includes(error.kind) ? 'again' : 'refused';
      return { verdict, code: `${error.kind} ${error.code} ${error.message}`, text: error.code };
    }
  }
}

const TRIES = 60;

/** Asks under one operation until it is answered; throws what refuses it. */
export async function untilAnswered<T>(ask: (context: CallContext) => Promise<T>): Promise<T> {
  const operationId = randomUUID();
  for (let tries = 1; ; tries++)
    try {
      return await ask(callContext(operationId));
    } catch (error) {
      if (!(error instanceof AppError) || !TRANSIENT.includes(error.kind) || tries >= TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
}

export const callContext = (operationId?: string): CallContext =>
  newCallContext(CALL_MS, { operationId, principal: { service: 'admin', userId: 'nemesis' } });
