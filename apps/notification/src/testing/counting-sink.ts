import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingSink {
  readonly url: string;
  /** Requests answered so far. */
  count: () => Promise<number>;
  close: () => void;
}

/** Becomes the sink when this process was forked as one. */
export function becomeSink(): boolean {
  if (!process.env['BENCH_SINK']) return false;
  let answered = 0;
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      answered++;
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.on('message', () => process.send!(answered));
  process.on('disconnect', () => process.exit(0));
  return true;
}

/** An endpoint in a process of its own that takes everything and counts. */
export async function startCountingSink(): Promise<CountingSink> {
  const child = fork(process.argv[1]!, { env: { ...process.env, BENCH_SINK: '1' } });
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    count: async () => {
      const answer = once(child, 'message') as Promise<[number]>;
      child.send('count');
      return (await answer)[0];
    },
    close: () => child.kill(),
  };
}
