import { startRawBackend, talkRaw, type RawBackend } from '../testing/raw-backend';
import { startEdge } from '../testing/test-gateway';

// One request in is at most one request out, whatever its method and however its body is framed.

const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  ...['OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'REPORT', 'SEARCH'],
];
const SMUGGLED = 'GET /c/smuggled HTTP/1.1\r\nhost: a\r\n\r\n';
const CHUNKED = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
const FRAMINGS: Record<string, { headers: string[]; body: string }> = {
  none: { headers: [], body: '' },
  'content-length': { headers: [`content-length: ${SMUGGLED.length}`], body: SMUGGLED },
  chunked: { headers: ['transfer-encoding: chunked'], body: CHUNKED },
  both: { headers: [`content-length: ${CHUNKED.length}`, 'transfer-encoding: chunked'], body: CHUNKED },
  'expect, content-length': {
    headers: [`content-length: ${SMUGGLED.length}`, 'expect: 100-continue'],
    body: SMUGGLED,
  },
  'expect, chunked': { headers: ['transfer-encoding: chunked', 'expect: 100-continue'], body: CHUNKED },
  'expect, none': { headers: ['expect: 100-continue'], body: '' },
};

let backend: RawBackend;
let edge: Awaited<ReturnType<typeof startEdge>>;
let port: number;

beforeAll(async () => {
  backend = await startRawBackend();
  const { url } = backend;
  edge = await startEdge({ pages: { billing: url, checkout: url, notification: url, application: url } });
  port = Number(new URL(edge.gateway.url).port);
});
afterAll(async () => {
  await edge.close();
  await backend.close();
});

/** What the gateway answers, and the requests that its backend sees until an innocent one after it has its answer. */
async function sent(method: string, path: string, headers: readonly string[], body: string, version = '1.1') {
  backend.seen.length = 0;
  const head = [`${method} ${path} HTTP/${version}`, 'host: a', ...headers];
  const connection = headers.some((each) => each.startsWith('connection:')) ? [] : ['connection: close'];
  const answer = await talkRaw(port, `${[...head, ...connection].join('\r\n')}\r\n\r\n${body}`);
  const after = await talkRaw(port, 'GET /c/after HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(after).toMatch(/^HTTP\/1.1 200 /);
  const seen = backend.seen.slice();
  expect(seen.at(-1)?.line).toBe('GET /c/after HTTP/1.1');
  return { answer, reached: seen.slice(0, -1) };
}

const statusOf = (answer: string): string =>
  /^HTTP\/1.1 (?:100 Continue\r\n\r\nHTTP\/1.1 )?(\d+)/.exec(answer)?.[1] ?? '';

describe.each(Object.keys(FRAMINGS))('framing: %s', (name) => {
  const { headers, body } = FRAMINGS[name]!;

  test.each(METHODS)('%s', async (method) => {
    const { answer, reached } = await sent(method, '/c/token', headers, body);
    const isRead = method === 'GET' || method === 'HEAD';
    const passes = name !== 'both' && (method === 'POST' || (isRead && body === ''));
    expect(reached.map(({ line }) => line)).toEqual(passes ? [`${method} /c/token HTTP/1.1`] : []);
    if (method === 'CONNECT') return expect(answer.replace(/^HTTP\/1.1 400 [^]*/, '')).toBe('');
    if (name === 'both') return expect(statusOf(answer)).toBe('400');
    if (passes) {
      const { headers: out, body: arrived } = reached[0]!;
      expect([statusOf(answer), arrived]).toEqual(['200', body === '' ? '' : SMUGGLED]);
      expect(out).not.toHaveProperty('expect');
      expect(['content-length', 'transfer-encoding'].filter((each) => each in out).length).toBeLessThan(2);
      return;
    }
    expect(statusOf(answer)).toBe(isRead ? '400' : '405');
    if (!isRead) expect(answer).toContain('\r\nallow: GET, HEAD, POST\r\n');
  });
});

test('a page that takes no POST says so', async () => {
  for (const path of ['/p/token', '/dev/mail']) {
    const { answer, reached } = await sent('POST', path, ['content-length: 0'], '');
    expect([statusOf(answer), reached]).toEqual(['405', []]);
    expect(answer).toContain('\r\nallow: GET, HEAD\r\n');
  }
});

test('no client removes the length of its body by naming it in Connection', async () => {
  const named = 'connection: close, content-length, transfer-encoding, host';
  for (const name of ['content-length', 'chunked']) {
    const { headers, body } = FRAMINGS[name]!;
    const { answer, reached } = await sent('POST', '/c/token', [...headers, named], body);
    expect([statusOf(answer), reached.map((each) => each.body)]).toEqual(['200', [SMUGGLED]]);
    const [header = '', value] = headers[0]!.split(': ');
    expect(reached[0]?.headers).toMatchObject({ [header]: value, host: 'a' });
  }
});

test.each([
  ['an unknown encoding', ['transfer-encoding: gzip, chunked'], '1.1'],
  ['an encoding twice', ['transfer-encoding: chunked', 'transfer-encoding: chunked'], '1.1'],
  ['an encoding that ends nowhere', ['transfer-encoding: identity'], '1.1'],
  ['an encoding that HTTP/1.0 does not know', ['transfer-encoding: chunked'], '1.0'],
])('%s is refused, and the connection with it', async (_name, headers, version) => {
  const keepAlive = 'connection: keep-alive';
  const { answer, reached } = await sent('POST', '/c/token', [...headers, keepAlive], CHUNKED, version);
  expect([statusOf(answer), reached]).toEqual(['400', []]);
});

test('many requests share few connections to the backend', () => {
  expect(backend.connections()).toBeLessThan(10);
});
