import { loadEnv, str } from '@invoicing/config';
import { startEmbeddedMongo } from '@invoicing/embedded-mongo';
import { runProcess } from '@invoicing/service';

// The embedded store as a process of its own, for `npm start` without MONGODB_URI.
const env = loadEnv(process.env, { STORE_FOLDER: str(), STORE_SOCKET: str() });

// Whoever may open the socket may do everything: it is its owner's alone, as all files are.
process.umask(0o077);
runProcess('store', () =>
  startEmbeddedMongo({
    folder: env.STORE_FOLDER,
    socketPath: env.STORE_SOCKET,
    log: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  }),
);
