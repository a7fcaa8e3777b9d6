import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Where a link leads. */
export type Target = { readonly port: number } | { readonly path: string };

/** What the network does to a link at the moment. */
export interface Weather {
  /** Each way. */
  readonly latencyMs: number;
  /** How likely a piece of data ends its connection instead of arriving: 0–1. */
  readonly loss: number;
  /** Nothing arrives, and nobody is told, until it is over. */
  readonly isCut: boolean;
}

export const FAIR: Weather = { latencyMs: 0, loss: 0, isCut: false };

/** A TCP connection between two parts that a fault can be put into. With several targets a new connection goes to the next that takes it. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private weather = FAIR;
  private heal: (() => void)[] = [];
  private next = 0;

  private constructor(
    readonly name: string,
    private readonly server: Server,
    private readonly targets: readonly Target[],
  ) {
    server.on('connection', (socket: Socket) => void this.accept(socket));
  }

  static async open(name: string, ...targets: Target[]): Promise<Link> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Link(name, server, targets);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** `reset`: whoever was connected meanwhile is cut off, as by a firewall that forgot him; else what was held back arrives late. */
  set(weather: Weather, { reset = false } = {}): void {
    this.weather = weather;
    if (reset) for (const socket of this.sockets) socket.destroy();
    if (!weather.isCut) for (const go of this.heal.splice(0)) go();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.set(FAIR, { reset: true });
    await closed;
  }

  private async accept(inner: Socket): Promise<void> {
    this.keep(inner);
    const start = this.next++;
    for (let tries = 0; tries < this.targets.length && !inner.destroyed; tries++) {
      const outer = await dial(this.targets[(start + tries) % this.targets.length]!);
      if (!outer) continue;
      this.keep(outer);
      this.pipe(inner, outer);
      this.pipe(outer, inner);
      return;
    }
    inner.destroy();
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    // Nobody is told of errors but by the end of the connection, which follows.
    socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
  }

  private pipe(from: Socket, to: Socket): void {
    let order = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      from.pause();
      order = order.then(() => this.pass(chunk, from, to));
    });
    from.on('end', () => void order.then(() => to.end()));
    from.on('close', () => void order.then(() => this.whenWhole()).then(() => to.destroy()));
  }

  private async pass(chunk: Buffer, from: Socket, to: Socket): Promise<void> {
    if (this.weather.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.weather.latencyMs));
    await this.whenWhole();
    if (Math.random() < this.weather.loss) {
      from.destroy();
      to.destroy();
      return;
    }
    if (!to.write(chunk) && !to.destroyed)
      await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => undefined);
    from.resume();
  }

  private async whenWhole(): Promise<void> {
    while (this.weather.isCut) await new Promise<void>((resolve) => this.heal.push(resolve));
  }
}

/** A connection, or undefined when nobody takes it. */
function dial(target: Target): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...target, host: '127.0.0.1', noDelay: true } as Parameters<typeof connect>[0] & object);
    socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined));
  });
}
