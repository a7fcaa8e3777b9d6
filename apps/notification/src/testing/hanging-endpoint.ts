import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Accepts connections and says nothing, ever. */
export async function startHangingEndpoint(): Promise<{ url: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}
