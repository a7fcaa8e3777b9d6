import { Engine } from './engine';
import { WireServer } from './server';

export interface EmbeddedMongo {
  /** For mongoose or the official driver, as it is. */
  readonly uri: string;
  close: () => Promise<void>;
}

export interface EmbeddedMongoOptions {
  /** Where the data lives. One process owns it at a time. */
  folder: string;
  host?: string;
  /** 0, the default, chooses a free one. */
  port?: number;
  /** A unix socket instead of host and port. */
  socketPath?: string;
  /** How often expired documents are looked for. */
  ttlIntervalMs?: number;
  log?: (line: object) => void;
}

/** Opens the store in a folder and serves it to MongoDB drivers. */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const { folder, host = '127.0.0.1', port = 0, socketPath, ttlIntervalMs = 60_000, log = () => undefined } = options;
  const engine = new Engine(folder, { ttlIntervalMs, log });
  const server = new WireServer(engine);
  let address: string;
  try {
    address = await server.listen({ host, port, socketPath });
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    uri: `mongodb://${address}/?directConnection=true`,
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}
