import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { answerTo, messageCutter, withFields, writeIn, type Message, type WriteCommand } from './store-message';

/** What a replica set can make of a write that a single server cannot. */
export const WIRE_FAULTS = [
  // The member that was asked is no primary any more; nothing was done.
  'not primary, before',
  // It was done, and its primary stepped down before it could say so.
  'not primary, after',
  // The connection ends with the election; nothing was done.
  'connection lost, before',
  'connection lost, after',
  // A majority did not confirm it in time: it was done, and may still be rolled back.
  'majority timed out',
  // The primary is shutting down: it was done, and the driver is told to ask again.
  'shutting down',
  // It was not done, and when the driver asks again there is no primary yet.
  'lost for good',
  // It was done, and when the driver asks again there is no primary yet: nobody tells.
  'done, and nobody tells',
  // It was done by a primary that nobody followed: it is rolled back, which is as if it had never come, and the driver asks again.
  'rolled back',
] as const;
export type WireFault = (typeof WIRE_FAULTS)[number];

const NOT_PRIMARY = {
  ok: 0,
  code: 10107,
  codeName: 'NotWritablePrimary',
  errmsg: 'not primary',
  errorLabels: ['RetryableWriteError'],
};
const TIMED_OUT = {
  writeConcernError: {
    code: 64,
    codeName: 'WriteConcernTimeout',
    errmsg: 'waiting for replication timed out',
    errInfo: { wtimeout: true },
  },
};
const SHUTTING_DOWN = {
  writeConcernError: { code: 91, codeName: 'ShutdownInProgress', errmsg: 'the primary is shutting down' },
  errorLabels: ['RetryableWriteError'],
};

/** Where a write is made: command, collection and what it changes. */
export const siteOf = ({ name, namespace, shape }: WriteCommand): string => `${namespace} ${name} ${shape}`.trim();

/** A door to a store at which writes fail as a replica set lets them fail. */
export class FailingStore {
  /** Every place that wrote, and by which faults it was met. */
  readonly sites = new Map<string, Set<WireFault>>();
  private round: number | undefined;
  private hit = new Set<string>();
  /** Writes whose repetition finds no primary. */
  private readonly abandoned = new Set<string>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly socketPath: string,
  ) {
    server.on('connection', (socket: Socket) => this.accept(socket));
  }

  static async open(socketPath: string): Promise<FailingStore> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FailingStore(server, socketPath);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * From now on the first write at every place fails, each place in a way of its own: after as many rounds as there are faults each has met
   * them all. Undefined: no write fails.
   */
  failOnce(round: number | undefined): void {
    this.round = round;
    this.hit = new Set();
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private accept(inner: Socket): void {
    const outer = connect(this.socketPath);
    const ends = [inner, outer];
    for (const socket of ends) {
      this.sockets.add(socket);
      socket
        .on('error', () => undefined)
        .once('close', () => {
          this.sockets.delete(socket);
          for (const other of ends) other.destroy();
        });
    }
    /** What becomes of the answers that are on their way. */
    const answers = new Map<number, (answer: Message) => void>();
    const drop = (): void => ends.forEach((each) => each.destroy());
    const [cutAsked, cutAnswered] = [messageCutter(), messageCutter()];
    inner.on('data', (chunk: Buffer) => {
      for (const message of cutAsked(chunk)) this.ask(message, inner, outer, answers, drop);
    });
    outer.on('data', (chunk: Buffer) => {
      for (const message of cutAnswered(chunk)) {
        const change = answers.get(message.responseTo);
        answers.delete(message.responseTo);
        if (change) change(message);
        else inner.write(message.bytes);
      }
    });
  }

  private ask(
    message: Message,
    inner: Socket,
    outer: Socket,
    answers: Map<number, (answer: Message) => void>,
    drop: () => void,
  ): void {
    const write = writeIn(message);
    const refuse = (): void => void inner.write(answerTo(message.requestId, NOT_PRIMARY));
    if (write?.retryKey !== undefined && this.abandoned.delete(write.retryKey)) return refuse();
    const fault = write && this.faultFor(write);
    const isSent =
      !fault || !['not primary, before', 'connection lost, before', 'lost for good', 'rolled back'].includes(fault);
    if (isSent) outer.write(message.bytes);
    if (!fault) return;
    const whenDone = (change: (answer: Message) => void): void => void answers.set(message.requestId, change);
    if (write.retryKey !== undefined && (fault === 'lost for good' || fault === 'done, and nobody tells'))
      this.abandoned.add(write.retryKey);
    switch (fault) {
      case 'not primary, before':
        return refuse();
      case 'not primary, after':
      case 'done, and nobody tells':
        return whenDone(refuse);
      case 'connection lost, before':
      case 'lost for good':
      case 'rolled back':
        return drop();
      case 'connection lost, after':
        return whenDone(drop);
      case 'majority timed out':
        return whenDone((answer) => inner.write(withFields(answer, TIMED_OUT)));
      case 'shutting down':
        return whenDone((answer) => inner.write(withFields(answer, SHUTTING_DOWN)));
    }
  }

  private faultFor(write: WriteCommand): WireFault | undefined {
    const site = siteOf(write);
    const met = this.sites.get(site) ?? new Set();
    this.sites.set(site, met);
    if (this.round === undefined || this.hit.has(site)) return undefined;
    this.hit.add(site);
    const fault = WIRE_FAULTS[(placeOf(site) + this.round) % WIRE_FAULTS.length]!;
    met.add(fault);
    return fault;
  }
}

/** Which fault a place meets first: any number that is always the same. */
const placeOf = (site: string): number => [...site].reduce((sum, each) => sum + each.charCodeAt(0), 0);
