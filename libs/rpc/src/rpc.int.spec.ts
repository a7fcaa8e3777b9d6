import { connect } from 'node:http2';
import { once } from 'node:events';
import { AppError, validationError } from '@invoicing/errors';
import type { ServerCallContext } from './call-context';
import { openChannel } from './rpc-client';
import { call, echoDefinition, identityOf, startEcho, type EchoHandlers } from './testing/echo-service';

let echo: Awaited<ReturnType<typeof startEcho>>;
const start = async (handlers: Partial<EchoHandlers>) => {
  echo = await startEcho(handlers);
  return echo.as(identityOf('billing'));
};
const failureOf = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as AppError,
  );
const collect = async (messages: AsyncIterable<{ text: string }>): Promise<string[]> => {
  const texts: string[] = [];
  for await (const { text } of messages) texts.push(text);
  return texts;
};

/** A call as a client would send it that knows nothing of deadlines and messages; what came after the answer. */
async function rawCall(path: string, message: Buffer): Promise<Record<string, string>> {
  const session = connect(`http://127.0.0.1:${echo.port}`);
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: 'Bearer token-billing',
  });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
  const [headers] = (await once(stream, 'response')) as [Record<string, string>];
  stream.resume();
  const trailers = headers['grpc-status'] ? headers : ((await once(stream, 'trailers')) as [typeof headers])[0];
  session.close();
  return trailers;
}

const ORGANIZATION = '0f8fad5b-d9cb-469f-a165-70867728950e';

afterEach(() => echo.close());

test('a call carries who asks, for what, and until when', async () => {
  let seen: ServerCallContext | undefined;
  const client = await start({ say: async (request, context) => ((seen = context), request) });
  const operationId = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const context = call({ requestId: 'r-1', operationId });
  await expect(client.say({ text: 'hé' }, context)).resolves.toEqual({ text: 'hé' });
  expect(seen).toMatchObject({ caller: 'billing', requestId: 'r-1', operationId });
  // The deadline travels as what is left of it.
  expect(Math.abs(seen!.deadline - context.deadline)).toBeLessThan(1_000);
});

test('an error arrives as it was thrown: kind, code, message, details, when to come back', async () => {
  const details = [{ path: '/lines/0', message: 'moet kleiner zijn dan € 1' }];
  const client = await start({
    say: () => Promise.reject(validationError(details)),
    grant: () => Promise.reject(new AppError('blocked', 'billing_readonly', 'in arrears')),
    count: async function* () {
      yield { text: '1' };
      throw new AppError('busy', 'idempotency_in_flight', 'still running', { retryAfterSeconds: 7 });
    },
  });
  expect(await failureOf(client.say({ text: '' }, call()))).toMatchObject({
    kind: 'invalid',
    code: 'validation',
    details,
  });
  const platform = echo.as(identityOf('platform-billing'));
  expect(await failureOf(platform.grant({ text: '' }, call()))).toMatchObject({
    kind: 'blocked',
    code: 'billing_readonly',
    publicMessage: 'in arrears',
  });
  expect(await failureOf(collect(client.count({ text: '' }, call())))).toMatchObject({
    kind: 'busy',
    code: 'idempotency_in_flight',
    retryAfterSeconds: 7,
  });
});

test('thousands of violations still arrive as a validation error', async () => {
  const details = Array.from({ length: 3_000 }, (_, index) => ({
    path: `/lines/${index}/unitPriceCents`,
    message: 'must be an integer between −1000000000 and 1000000000',
  }));
  const client = await start({ say: () => Promise.reject(validationError(details)) });
  const failure = await failureOf(client.say({ text: '' }, call()));
  expect(failure).toMatchObject({ kind: 'invalid', code: 'validation' });
  expect(failure.details!.length).toBeGreaterThanOrEqual(50);
});

test('an unexpected error tells nothing of itself', async () => {
  const client = await start({
    say: () => Promise.reject(new TypeError('secret mongodb://me:pass@host in /srv/app.js')),
  });
  const failure = await failureOf(client.say({ text: '' }, call()));
  expect(failure).toMatchObject({ kind: 'internal', code: 'generic' });
  expect(JSON.stringify([failure.publicMessage, failure.cause, String(failure.cause)])).not.toMatch(/secret|pass|srv/);
});

test.each([
  ['cut in the middle of a character', `${'x'.repeat(511)}😀`],
  ['with half a character in it', 'no field \ud83d here'],
])('a message %s arrives, too', async (_name, message) => {
  const client = await start({ say: () => Promise.reject(new AppError('invalid', 'validation', message)) });
  const failure = await failureOf(client.say({ text: '' }, call()));
  expect(failure).toMatchObject({ kind: 'invalid', code: 'validation' });
  expect(failure.publicMessage).toMatch(/\ufffd/);
});

test('nobody home is unavailable, a passed deadline unfinished', async () => {
  const client = await start({ say: () => new Promise(() => undefined) });
  expect(await failureOf(client.say({ text: '' }, call({}, 100)))).toMatchObject({ kind: 'unfinished' });
  const nobody = openChannel('127.0.0.1:9', identityOf('billing'));
  const failure = await failureOf(nobody.client(echoDefinition).say({ text: '' }, call()));
  nobody.close();
  expect(failure).toMatchObject({ kind: 'unavailable', code: 'unavailable' });
});

test('a handler learns that its caller hung up or ran out of time', async () => {
  const aborted: string[] = [];
  let reached = (): void => undefined;
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  const client = await start({
    say: (request, { signal }) => {
      reached();
      return new Promise(() => signal.addEventListener('abort', () => aborted.push(request.text), { once: true }));
    },
  });
  const controller = new AbortController();
  const calling = failureOf(client.say({ text: 'hung up' }, call({ signal: controller.signal })));
  await isReached;
  controller.abort();
  expect(await calling).toMatchObject({ kind: 'unfinished' });
  await failureOf(client.say({ text: 'late' }, call({}, 1_000)));
  // Would come to the same after its deadline: the test itself would be too late.
  const gone = failureOf(client.say({ text: 'never' }, call({ signal: AbortSignal.abort() }, 60_000)));
  expect(await gone).toMatchObject({ kind: 'unfinished' });
  for (let i = 0; i < 500 && aborted.length < 2; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(aborted.slice(0, 2)).toEqual(['hung up', 'late']);
});

test('only known callers, and only the listed ones where a list is', async () => {
  const client = await start({});
  const stranger = echo.as({ token: 'guessed', tokenHashes: new Map() });
  expect(await failureOf(stranger.say({ text: '' }, call()))).toMatchObject({ kind: 'unauthenticated' });
  expect(await failureOf(collect(stranger.count({ text: '' }, call())))).toMatchObject({ kind: 'unauthenticated' });
  expect(await failureOf(client.grant({ text: '' }, call()))).toMatchObject({ kind: 'forbidden', code: 'forbidden' });
  const platform = echo.as(identityOf('platform-billing'));
  await expect(platform.grant({ text: 'ok' }, call())).resolves.toEqual({ text: 'ok' });
});

test('a call without a deadline gets thirty seconds, and its handler sees them', async () => {
  let seen: ServerCallContext | undefined;
  await start({ say: async (request, context) => ((seen = context), request) });
  const before = Date.now();
  expect(await rawCall('/test.Echo/Say', Buffer.from('{"text":""}'))).toMatchObject({ 'grpc-status': '0' });
  expect(seen!.deadline).toBeGreaterThanOrEqual(before + 30_000);
  expect(seen!.deadline).toBeLessThanOrEqual(Date.now() + 30_000);
});

test('an operation id that is not a UUID is refused', async () => {
  const client = await start({});
  expect(await failureOf(client.say({ text: '' }, call({ operationId: '../1' })))).toMatchObject({ kind: 'invalid' });
});

test('a stream delivers everything to a slow reader, in order', async () => {
  const text = 'x'.repeat(64 * 1024);
  const client = await start({
    count: async function* () {
      for (let i = 0; i < 200; i++) yield { text: `${i} ${text}` };
    },
  });
  let next = 0;
  for await (const message of client.count({ text: '' }, call())) {
    expect(message.text.startsWith(`${next++} `)).toBe(true);
    if (next % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(next).toBe(200);
});

describe('a stream of requests', () => {
  const texts = async function* (...all: string[]) {
    for (const text of all) yield { text, organizationId: ORGANIZATION };
  };

  test('arrives whole and in order, however slowly it is read', async () => {
    let sum = 0;
    const client = await start({
      gather: async (requests) => {
        for await (const { text } of requests) {
          if (++sum % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
          if (Number(text.slice(0, 8)) !== sum) throw new Error(`${text.slice(0, 8)} is not ${sum}`);
        }
        return { text: String(sum) };
      },
    });
    const many = Array.from({ length: 300 }, (_, index) =>
      String(index + 1)
        .padStart(8, '0')
        .padEnd(20_000, 'x'),
    );
    await expect(client.gather(texts(...many), call())).resolves.toEqual({ text: '300' });
  });

  test('is admitted by its first message, and a refusal ends the sending', async () => {
    await start({});
    const person = { service: 'application', organizationId: ORGANIZATION, userId: 'u' } as const;
    const owner = { principal: { ...person, role: 'owner' as const } };
    const application = echo.as(identityOf('application'));
    await expect(application.gather(texts('a', 'b'), call(owner))).resolves.toEqual({ text: 'a,b' });
    const viewer = { principal: { ...person, role: 'viewer' as const } };
    let sent = 0;
    const endless = async function* () {
      for (; sent < 1_000_000; sent++) yield { text: 'x'.repeat(10_000), organizationId: ORGANIZATION };
    };
    expect(await failureOf(application.gather(endless(), call(viewer)))).toMatchObject({ kind: 'forbidden' });
    expect(sent).toBeLessThan(1_000_000);
    const foreign = { principal: { ...owner.principal, organizationId: '0f8fad5b-d9cb-469f-a165-708677289500' } };
    expect(await failureOf(application.gather(texts('a'), call(foreign)))).toMatchObject({ kind: 'absent' });
    const stranger = echo.as({ ...identityOf('x'), token: 'unknown' });
    expect(await failureOf(stranger.gather(texts('a'), call()))).toMatchObject({ kind: 'unauthenticated' });
  });

  test('what its source throws ends the call, and the handler hears of it', async () => {
    let heard!: () => void;
    const ended = new Promise<void>((resolve) => (heard = resolve));
    let began!: () => void;
    const begun = new Promise<void>((resolve) => (began = resolve));
    const client = await start({
      gather: async (requests, { signal }) => {
        signal.addEventListener('abort', heard);
        for await (const _request of requests) began();
        return { text: '' };
      },
    });
    const failing = async function* () {
      yield { text: 'a' };
      await begun;
      throw new Error('the file is gone');
    };
    await expect(client.gather(failing(), call())).rejects.toThrow('the file is gone');
    await ended;
  });
});

test('leaving a stream early ends the work behind it and harms nobody', async () => {
  let ended = false;
  const client = await start({
    count: async function* () {
      try {
        for (let i = 0; ; i++) {
          yield { text: String(i) };
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        ended = true;
      }
    },
  });
  for await (const { text } of client.count({ text: '' }, call())) if (text === '3') break;
  const stop = AbortSignal.timeout(50);
  expect(await failureOf(collect(client.count({ text: '' }, call({ signal: stop }))))).toMatchObject({
    kind: 'unfinished',
  });
  for (let i = 0; i < 100 && !ended; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ended).toBe(true);
  await expect(client.say({ text: 'still here' }, call())).resolves.toEqual({ text: 'still here' });
});

test('a message beyond 8 MiB is refused and the connection lives on', async () => {
  const client = await start({});
  const failure = await failureOf(client.say({ text: 'x'.repeat(9 * 1024 * 1024) }, call()));
  expect(failure).toBeInstanceOf(AppError);
  await expect(client.say({ text: 'ok' }, call())).resolves.toEqual({ text: 'ok' });
  // Ours do not send one; a client that does is refused by the server (RESOURCE_EXHAUSTED).
  const trailers = await rawCall('/test.Echo/Say', Buffer.alloc(9 * 1024 * 1024));
  expect(trailers['grpc-status']).toBe('8');
});

test('garbage instead of a message is an error, not a crash', async () => {
  const client = await start({});
  const trailers = await rawCall('/test.Echo/Say', Buffer.from([0x7b, 0x7b, 0x7b]));
  expect(trailers['grpc-status']).not.toBe('0');
  await expect(client.say({ text: 'ok' }, call())).resolves.toEqual({ text: 'ok' });
});

test('closing lets a call in flight finish and takes no new one', async () => {
  let finish = (): void => undefined;
  let reached = (): void => undefined;
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  const client = await start({
    say: (request) => {
      reached();
      return new Promise((resolve) => (finish = () => resolve(request)));
    },
  });
  const running = client.say({ text: 'accepted' }, call());
  await isReached;
  const closed = echo.server.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const late = openChannel(`127.0.0.1:${echo.port}`, identityOf('billing'));
  expect(await failureOf(late.client(echoDefinition).say({ text: 'late' }, call()))).toMatchObject({
    kind: 'unavailable',
  });
  late.close();
  finish();
  await expect(running).resolves.toEqual({ text: 'accepted' });
  await closed;
});
