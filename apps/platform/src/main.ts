import { ConfigError } from '@invoicing/config';
import { loadConfig } from './config';
import { startPlatform, type Platform } from './platform';

// `npm start`: the whole platform on this machine, in the foreground, until Ctrl-C or SIGTERM.

const say = (message: string): void => console.log(message);
/** What there is to see; the rest is linked from there. */
const PLACES = [
  ['application', '/app'],
  ['reference', '/docs'],
  ['mailbox', '/dev/mail'],
] as const;
const starting = new AbortController();
let platform: Promise<Platform> | undefined;
let stopping = false;

function stop(): void {
  if (stopping) return;
  stopping = true;
  say('stopping …');
  starting.abort();
  (platform ?? Promise.resolve(undefined))
    .then(
      (running) => running?.close(),
      // Cut off while it started: what had started is stopped already.
      () => undefined,
    )
    .then(
      () => {
        say('stopped');
        process.exit(0);
      },
      (error: Error) => {
        console.error(error.message);
        process.exit(1);
      },
    );
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);

try {
  platform = startPlatform(loadConfig(process.env), say, starting.signal);
  platform.then(
    ({ gatewayUrl }) => {
      if (stopping) return;
      say(`ready ${gatewayUrl}`);
      for (const [name, path] of PLACES) say(`  ${name.padEnd(12)} ${gatewayUrl}${path}`);
    },
    (error: Error) => {
      // Whoever stops it says it himself.
      if (stopping) return;
      console.error(error.message);
      process.exit(1);
    },
  );
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
