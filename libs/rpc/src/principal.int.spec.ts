import { randomUUID } from 'node:crypto';
import type { AppError } from '@invoicing/errors';
import { actions, mayDo, roles } from '@invoicing/rules';
import type { ServerCallContext } from './call-context';
import { newCallContext } from './call-context';
import { actorOf, assertMay, type Principal } from './principal';
import { call, identityOf, startEcho } from './testing/echo-service';

let echo: Awaited<ReturnType<typeof startEcho>>;
let seen: ServerCallContext | undefined;

beforeAll(async () => {
  echo = await startEcho({ say: async (request, context) => ((seen = context), request) });
});
beforeEach(() => (seen = undefined));
afterAll(() => echo.close());

const organizationId = randomUUID();
const userId = randomUUID();
const person = { service: 'application', organizationId, userId, role: 'owner' } as const;
const say = (caller: string, principal: Principal | undefined, asked: string | undefined = organizationId) =>
  echo.as(identityOf(caller)).say({ text: '', ...(asked && { organizationId: asked }) }, call({ principal }));
const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as AppError,
  );

test('a person of the application: who, where, as what', async () => {
  await say('application', { ...person, label: 'Sanne de Wit – büro' });
  expect(seen).toMatchObject({
    caller: 'application',
    principal: { ...person, label: 'Sanne de Wit – büro' },
    by: { kind: 'user', id: userId, label: 'Sanne de Wit – büro' },
  });
});

test('an API key, an operator and a process by itself', async () => {
  const keyId = randomUUID();
  await say('gateway', { service: 'gateway', organizationId, userId: `key:${keyId}`, label: 'ik_live_x' });
  expect(seen?.by).toEqual({ kind: 'key', id: keyId, label: 'ik_live_x' });
  await say('admin', { service: 'admin', userId: 'sanne' });
  expect(seen?.by).toEqual({ kind: 'operator', id: 'sanne', label: undefined });
  await say('billing', undefined);
  expect(seen).toMatchObject({ principal: { service: 'billing' }, by: { kind: 'service', id: 'billing' } });
});

test('a service between passes it on: the next one knows for whom, and who asks', async () => {
  await say('application', person);
  const received = seen!;
  // As clients of other services make their calls: from the context of the call that they serve.
  await echo
    .as(identityOf('billing'))
    .say({ text: '', organizationId }, newCallContext(0, { ...received, signal: undefined }));
  expect(seen).toMatchObject({ caller: 'billing', principal: person, by: { kind: 'user', id: userId } });
  expect(await failure(say('billing', person, randomUUID()))).toMatchObject({ kind: 'absent' });
});

test.each(roles)('%s: own organisation by the table, a foreign one as if it did not exist', async (role) => {
  const own = say('application', { ...person, role });
  if (mayDo(role, 'settings.write')) await own;
  else expect(await failure(own)).toMatchObject({ kind: 'forbidden', code: 'forbidden' });
  for (const asked of [randomUUID(), ''])
    expect(await failure(say('application', { ...person, role }, asked))).toMatchObject({
      kind: 'absent',
      code: 'not_found',
      publicMessage: 'the organisation does not exist',
    });
});

test('the application needs a person, and people need an organisation', async () => {
  for (const missing of ['role', 'userId', 'organizationId'] as const)
    expect(await failure(say('application', { ...person, [missing]: undefined }))).toMatchObject({ kind: 'forbidden' });
  expect(await failure(say('application', undefined))).toMatchObject({ kind: 'forbidden' });
  // `count` names no action: the application may, a person may not.
  const count = (principal?: Principal) =>
    echo
      .as(identityOf('application'))
      .count({ text: '', organizationId }, call({ principal }))
      [Symbol.asyncIterator]()
      .next();
  await expect(count()).resolves.toMatchObject({ value: { text: '1' } });
  expect(await failure(count(person))).toMatchObject({ kind: 'forbidden' });
});

test('nobody says more than they may', async () => {
  // A key stays in its organisation.
  const key: Principal = { service: 'gateway', organizationId, userId: `key:${randomUUID()}` };
  expect(await failure(say('gateway', key, randomUUID()))).toMatchObject({ kind: 'absent' });
  // Those who speak for people speak as themselves, and only the application for people with a role.
  for (const caller of ['admin', 'platform-billing'])
    expect(await failure(say(caller, person))).toMatchObject({ kind: 'forbidden' });
  expect(await failure(say('admin', { service: 'admin', role: 'owner' }))).toMatchObject({ kind: 'forbidden' });
  const platform = echo.as(identityOf('platform-billing'));
  const claimed = call({ principal: { service: 'platform-billing', userId: 'somebody' } });
  expect(await failure(platform.grant({ text: '' }, claimed))).toMatchObject({ kind: 'forbidden' });
});

test('what makes no sense is refused', async () => {
  for (const wrong of [
    { organizationId: 'x' },
    { role: 'emperor' },
    { label: 'x'.repeat(201) },
    { service: 'printer' },
  ] as object[])
    expect(await failure(say('billing', { ...person, ...wrong }))).toMatchObject({ kind: 'invalid' });
});

test('a check of what depends on the request', () => {
  for (const action of actions) {
    expect(() => assertMay({}, action)).not.toThrow();
    const check = () => assertMay({ role: 'viewer' }, action);
    if (mayDo('viewer', action)) expect(check).not.toThrow();
    else expect(check).toThrow(/viewer/);
  }
});

test('an operator without a name is still one', () =>
  expect(actorOf({ service: 'admin' })).toEqual({ kind: 'operator', id: 'admin', label: undefined }));
