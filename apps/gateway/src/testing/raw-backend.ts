import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** One request as its bytes say it: head as it came, body by its framing. */
export interface RawRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A backend that reads connections byte by byte, so that it sees what a lenient neighbour would: every request that the bytes hold. */
export interface RawBackend {
  readonly url: string;
  readonly seen: RawRequest[];
  /** All that there ever were. */
  connections: () => number;
  open: () => number;
  /** Requests under these paths are read and not answered, until there are none such any more. */
  hang: (paths: readonly string[]) => void;
  close: () => Promise<void>;
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n';

export async function startRawBackend(): Promise<RawBackend> {
  const seen: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const unanswered: (() => void)[] = [];
  let connections = 0;
  let hanging: readonly string[] = [];
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    let bytes = '';
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1');
      for (let next = takeRequest(bytes); next; next = takeRequest(bytes)) {
        bytes = next.rest;
        const { request } = next;
        seen.push(request);
        const answer = (): void => void socket.write(ANSWER + (request.line.startsWith('HEAD') ? '' : 'ok'));
        if (hanging.some((path) => request.line.includes(` ${path}`))) unanswered.push(answer);
        else answer();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    connections: () => connections,
    open: () => sockets.size,
    hang: (paths) => {
      hanging = paths;
      if (paths.length === 0) for (const answer of unanswered.splice(0)) answer();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function takeRequest(bytes: string): { request: RawRequest; rest: string } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...fields] = bytes.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  const after = bytes.slice(end + 4);
  // Where both stand, the length wins here: the opposite of what the gateway's parser would take.
  if (headers['content-length'] === undefined && headers['transfer-encoding'] !== undefined) {
    const body = takeChunks(after);
    return body && { request: { line, headers, body: body.text }, rest: body.rest };
  }
  const length = Number(headers['content-length'] ?? 0);
  if (after.length < length) return undefined;
  return { request: { line, headers, body: after.slice(0, length) }, rest: after.slice(length) };
}

function takeChunks(bytes: string): { text: string; rest: string } | undefined {
  let text = '';
  for (let rest = bytes; ;) {
    const lineEnd = rest.indexOf('\r\n');
    const size = parseInt(rest, 16);
    if (lineEnd < 0 || rest.length < lineEnd + 2 + size + 2) return undefined;
    text += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    rest = rest.slice(lineEnd + 2 + size + 2);
    if (size === 0) return { text, rest };
  }
}

/** Everything that a connection is told, from what is written to its end. */
export async function talkRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  // A reset is an end, too.
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}
