import { connect, type Socket } from 'node:net';

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** A request as it goes over the wire; `body` is sent as JSON. */
export function httpRequest(method: string, path: string, headers: readonly string[], body?: unknown): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body);
  const length = `content-length: ${Buffer.byteLength(content)}`;
  const ofBody = body === undefined ? [] : ['content-type: application/json', length];
  return Buffer.from([`${method} ${path} HTTP/1.1`, 'host: bench', ...headers, ...ofBody, '', content].join('\r\n'));
}

/** Asks one thing over and over on so many keep-alive connections. */
export function httpLoad(
  port: number,
  path: string,
  headers: readonly string[],
  seconds: number,
  connections = 64,
): Promise<LoadResult> {
  const request = httpRequest('GET', path, headers);
  return httpLoadOf(port, () => request, seconds, connections);
}

/** The same with a request of its own each time. Knows just enough HTTP to count, so that it is not what is measured. */
export async function httpLoadOf(
  port: number,
  nextRequest: () => Buffer,
  seconds: number,
  connections: number,
): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, () => one(port, nextRequest, until, latenciesMs)));
  const elapsed = (performance.now() - startedAt) / 1_000;
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number): number => latenciesMs[Math.floor(latenciesMs.length * share)] ?? NaN;
  return { perSecond: latenciesMs.length / elapsed, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function one(port: number, nextRequest: () => Buffer, until: number, latenciesMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let pending: Buffer = Buffer.alloc(0);
    let sentAt = performance.now();
    socket.setNoDelay(true);
    socket.on('connect', () => socket.write(nextRequest()));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = pending.toString('latin1', 0, headEnd);
      if (!/^HTTP\/1\.1 20[01] /.test(head)) {
        socket.destroy();
        reject(new Error(pending.toString()));
        return;
      }
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (pending.length < headEnd + HEAD_END.length + length) return;
      pending = Buffer.alloc(0);
      const now = performance.now();
      latenciesMs.push(now - sentAt);
      if (now >= until) {
        socket.end();
        resolve();
        return;
      }
      sentAt = now;
      socket.write(nextRequest());
    });
  });
}
