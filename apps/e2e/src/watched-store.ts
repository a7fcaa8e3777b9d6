import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { deserialize } from 'bson';
import { startEmbeddedMongo } from '@invoicing/embedded-mongo';

/** A command as a driver sent it: its first field names it and its collection. */
export type SentCommand = Readonly<Record<string, unknown>> & { readonly $db: string };

export interface WatchedStore {
  /** What all processes connect to. */
  readonly uri: string;
  readonly commands: SentCommand[];
  close: () => Promise<void>;
}

const OP_MSG = 2013;
const HEADER = 16;

/** A store, and everything that drivers say to it: a relay in front of it reads along. */
export async function startWatchedStore(folder: string): Promise<WatchedStore> {
  const store = await startEmbeddedMongo({ folder });
  const storePort = Number(new URL(store.uri).port);
  const commands: SentCommand[] = [];
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const upstream = connect(storePort, '127.0.0.1');
    let unread = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      while (unread.length >= 4 && unread.length >= unread.readInt32LE(0)) {
        const length = unread.readInt32LE(0);
        const command = readMessage(unread.subarray(0, length));
        if (command) commands.push(command);
        unread = unread.subarray(length);
      }
    });
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      // Either side goes away when its process ends.
      socket.on('error', () => other.destroy());
      socket.on('close', () => (sockets.delete(socket), other.destroy()));
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return {
    uri: `mongodb://127.0.0.1:${(relay.address() as AddressInfo).port}/?directConnection=true`,
    commands,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
      await store.close();
    },
  };
}

/** https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/#op_msg: a body, and lists of documents beside it. */
function readMessage(message: Buffer): SentCommand | undefined {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  const command: Record<string, unknown> = {};
  for (let at = HEADER + 4; at < message.length;) {
    const kind = message[at++];
    const size = message.readInt32LE(at);
    const section = message.subarray(at, at + size);
    at += size;
    if (kind === 0) Object.assign(command, deserialize(section));
    else {
      const end = section.indexOf(0, 4);
      const documents: unknown[] = [];
      for (let from = end + 1; from < size; from += section.readInt32LE(from))
        documents.push(deserialize(section.subarray(from, from + section.readInt32LE(from))));
      command[section.toString('utf8', 4, end)] = documents;
    }
  }
  return command as SentCommand;
}
