import { createServer, type Server, type Socket } from 'node:net';
import { type Engine } from './engine';
import { runCommand } from './commands/run-command';
import { Connection } from './wire/connection';

/** Where the server listens. */
export interface Listen {
  host: string;
  port: number;
  socketPath?: string | undefined;
}

/** Listens for clients; each connection's commands go to the engine. */
export class WireServer {
  private readonly connections = new Set<Connection>();
  private readonly server: Server;
  private lastId = 0;

  constructor(private readonly engine: Engine) {
    this.server = createServer((socket) => this.accept(socket));
  }

  /** Resolves to the address clients connect to, as it stands in a connection string. */
  async listen({ host, port, socketPath }: Listen): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      const ready = (): void => {
        this.server.off('error', reject);
        resolve();
      };
      if (socketPath) this.server.listen(socketPath, ready);
      else this.server.listen(port, host, ready);
    });
    const address = this.server.address();
    if (address === null || typeof address === 'string') return encodeURIComponent(socketPath ?? '');
    return `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.connections) connection.close();
    await closed;
  }

  private accept(socket: Socket): void {
    const { metrics } = this.engine;
    metrics.connections.current++;
    metrics.connections.totalCreated++;
    const connection = new Connection(
      socket,
      ++this.lastId,
      {
        execute: (request, peer) => runCommand(this.engine, request, peer),
        replyFields: () => this.engine.replicaSet.clock.replyFields,
      },
      this.engine.recentLog.write,
      metrics.network,
    );
    this.connections.add(connection);
    socket.on('close', () => {
      this.connections.delete(connection);
      metrics.connections.current--;
    });
  }
}
