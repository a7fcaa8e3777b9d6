import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What a line does to what is sent over it. */
export interface LineCondition {
  /** One way. */
  readonly latencyMs: number;
  /** Of the packets; each is sent again after 200 ms, after 400 ms, and so on, and holds up what follows it, as TCP does. */
  readonly loss: number;
  /** Takes everything and delivers nothing: nobody hears that the other side is out of reach. */
  readonly isDead: boolean;
}

export const CLEAR: LineCondition = { latencyMs: 0, loss: 0, isDead: false };

const RETRANSMIT_MS = 200;
const MOST_LOSSES = 4;

/** A TCP line between a client and a server on this machine, whose condition a test sets. */
export interface Relay {
  readonly port: number;
  set: (condition: LineCondition) => void;
  /** Whether everything that was sent has arrived. */
  isIdle: () => boolean;
  close: () => Promise<void>;
}

export async function startRelay(targetPort: number, random: () => number): Promise<Relay> {
  let condition = CLEAR;
  let underWay = 0;
  const sockets = new Set<Socket>();
  /** Connections that lost something for good. */
  const broken = new Set<Socket>();

  const delayMs = (): number => {
    let [delay, losses] = [condition.latencyMs, 0];
    while (losses < MOST_LOSSES && random() < condition.loss) delay += RETRANSMIT_MS * 2 ** losses++;
    return delay;
  };
  const carry = (from: Socket, to: Socket): void => {
    let arrival = 0;
    let last = Promise.resolve();
    const deliver = (act: () => void): void => {
      if (condition.isDead || broken.has(from)) return void [from, to].forEach((socket) => broken.add(socket));
      // In the order in which it was sent.
      arrival = Math.max(arrival, Date.now() + delayMs());
      const at = arrival;
      underWay++;
      last = last.then(async () => {
        const left = at - Date.now();
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
        underWay--;
        if (!to.destroyed) act();
      });
    };
    from.on('data', (chunk: Buffer) => deliver(() => to.write(chunk)));
    from.on('end', () => deliver(() => to.end()));
    from.on('error', () => deliver(() => to.destroy()));
    from.on('close', () => {
      sockets.delete(from);
      deliver(() => to.destroy());
    });
    sockets.add(from);
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    carry(client, upstream);
    carry(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      condition = next;
      if (next.isDead) return;
      for (const socket of broken) socket.destroy();
      broken.clear();
    },
    isIdle: () => underWay === 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
