import { once } from 'node:events';
import { type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A server that listens. */
export interface Listening {
  /** The port that it got. */
  readonly port: number;
  /** Takes no new connections, lets accepted requests finish, and ends those that do not finish in time. */
  readonly close: () => Promise<void>;
}

// Shorter than what a process has to stop (`runProcess`).
const DRAIN_TIMEOUT_MS = 8_000;
const SWEEP_MS = 50;

/** The answers of a server that are under way, kept up to date. */
export function answersUnderWay(server: Server): ReadonlySet<ServerResponse> {
  const answering = new Set<ServerResponse>();
  server.prependListener('request', (_request, response: ServerResponse) => {
    answering.add(response);
    response.once('close', () => answering.delete(response));
  });
  return answering;
}

/** Listens on an address; port 0 is any free one. Rejects when the port is taken. */
export async function listen(
  server: Server,
  {
    host,
    port,
    answering = answersUnderWay(server),
  }: {
    readonly host: string;
    readonly port: number;
    readonly answering?: ReadonlySet<ServerResponse>;
  },
): Promise<Listening> {
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      // Their clients are told to come back on another connection.
      for (const response of answering) response.shouldKeepAlive = false;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      // Connections that were busy just now become idle one by one.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const force = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}
