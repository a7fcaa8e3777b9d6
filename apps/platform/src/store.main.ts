import { loadEnv, port, str } from '@invoicing/config';
import { startEmbeddedMongo } from '@invoicing/embedded-mongo';
import { runProcess } from '@invoicing/service';

// The embedded store as a process of its own, for `npm start` without MONGODB_URI.
const env = loadEnv(process.env, { STORE_FOLDER: str(), STORE_PORT: port() });

runProcess('store', () =>
  startEmbeddedMongo({
    folder: env.STORE_FOLDER,
    port: env.STORE_PORT,
    log: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  }),
);
