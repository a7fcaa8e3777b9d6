import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { AppError, validationError } from '@invoicing/errors';
import { BadRequest, ErrorInfo, RetryInfo } from '@invoicing/contracts/google/rpc/error_details';
import { Status } from '@invoicing/contracts/google/rpc/status';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { serveRpc, type RpcServer } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { accessTable } from './access-table';
import { openService } from './open-service';
import { ReflectionClient } from './reflection-client';
import { testIdentity } from './test-identity';

// A server of the whole contract, met by a client that knows none of it.

let server: RpcServer;
let client: ReflectionClient;
let fail: (() => never) | undefined;
const createdAt = new Date('2026-11-21T10:00:00.000Z');
const metadata = new Metadata();
metadata.set('authorization', `Bearer ${testIdentity('admin').token}`);

beforeAll(async () => {
  const credits = openService(CreditsService, {
    grantCredits: async ({ organizationId, credits: amount }) => {
      fail?.();
      return { id: 'grant', organizationId, credits: amount, balance: amount, createdAt };
    },
  });
  const others = accessTable.map(({ definition }) => definition).filter((each) => each !== CreditsService);
  server = await serveRpc({
    host: '127.0.0.1',
    port: 0,
    services: [credits, ...others.map((definition) => ({ ...openService(definition, {}), definition }))],
    identity: testIdentity('billing'),
    log: createLogger('test', 'silent'),
    isHealthy: () => true,
  });
  client = new ReflectionClient(`127.0.0.1:${server.port}`, metadata);
});
afterAll(async () => {
  client.close();
  await server.close();
});
afterEach(() => (fail = undefined));

const names = accessTable.map(({ definition }) => Object.values(definition)[0]!.path.split('/')[1]!);
const HEALTH = 'grpc.health.v1.Health';

describe.each(['v1', 'v1alpha'] as const)('reflection %s', (version) => {
  let asked: ReflectionClient;
  beforeAll(() => (asked = new ReflectionClient(`127.0.0.1:${server.port}`, metadata, version)));
  afterAll(() => asked.close());

  test('lists every service, and health', async () =>
    expect((await asked.services()).sort()).toEqual([...names, HEALTH].sort()));

  test.each([...names, HEALTH, 'google.rpc.BadRequest'])('%s resolves, with all that it stands on', async (name) => {
    const registry = await asked.registryOf(name);
    expect(registry.getService(name) ?? registry.getMessage(name)).toBeDefined();
  });
});

test('types come back as they were written: imports, optional fields, comments', async () => {
  const registry = await client.registryOf('invoicing.billing.v1.Credits');
  const grant = registry.getMessage('invoicing.billing.v1.CreditGrant')!;
  expect(grant.field['createdAt']!.message?.typeName).toBe('google.protobuf.Timestamp');
  expect(grant.field['reason']!.proto.proto3Optional).toBe(true);
  expect(grant.file.proto.name).toBe('invoicing/billing/v1/credits.proto');
  const comments = grant.file.proto.sourceCodeInfo!.location.map(({ leadingComments }) => leadingComments.trim());
  expect(comments).toContain('After the grant.');
});

const grant = (credits: string) =>
  client.call('invoicing.billing.v1.Credits/GrantCredits', { organizationId: 'anyone', credits });

test('a call by nothing but reflection', async () =>
  expect(await grant('25')).toEqual({
    id: 'grant',
    organizationId: 'anyone',
    credits: '25',
    balance: '25',
    createdAt: '2026-11-21T10:00:00Z',
  }));

test('health by reflection, for anyone; of the rest a stranger learns nothing', async () => {
  expect(await client.call('grpc.health.v1.Health/Check', {})).toEqual({ status: 'SERVING' });
  const stranger = new ReflectionClient(`127.0.0.1:${server.port}`, new Metadata());
  expect(await stranger.call('grpc.health.v1.Health/Check', {})).toEqual({ status: 'SERVING' });
  for (const name of ['invoicing.billing.v1.Credits', 'invoicing.billing.v1.CreditGrant'])
    await expect(stranger.registryOf(name)).rejects.toThrow(/not found/);
  stranger.close();
});

async function failureOf(call: Promise<unknown>) {
  const failure = await call.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as ServiceError,
  );
  const { code, message, details } = Status.decode(failure.metadata.get('grpc-status-details-bin')[0] as Buffer);
  expect({ code, message }).toEqual({ code: failure.code, message: failure.details });
  const of = <T>(name: string, decode: (bytes: Uint8Array) => T): T | undefined => {
    const found = details.find(({ typeUrl }) => typeUrl === `type.googleapis.com/google.rpc.${name}`);
    return found && decode(found.value);
  };
  return {
    code,
    info: of('ErrorInfo', (bytes) => ErrorInfo.decode(bytes)),
    violations: of('BadRequest', (bytes) => BadRequest.decode(bytes))?.fieldViolations,
    retry: of('RetryInfo', (bytes) => RetryInfo.decode(bytes))?.retryDelay,
  };
}

test.each(['9007199254740992', '-9007199254740992', '9223372036854775807'])('int64 %s is refused', async (credits) =>
  expect(await failureOf(grant(credits))).toMatchObject({
    code: status.INVALID_ARGUMENT,
    info: { reason: 'VALIDATION' },
    violations: [{ field: '', description: 'a number is beyond 2^53 - 1' }],
  }),
);

test('a list of a request has at most 1,000 entries', async () => {
  const ids = Array.from({ length: 1_001 }, () => 'x');
  const request = { customerIds: ids, productIds: ids.slice(1) };
  expect(await failureOf(client.call('invoicing.catalog.v1.References/ResolveReferences', request))).toMatchObject({
    code: status.INVALID_ARGUMENT,
    violations: [{ field: 'customerIds', description: 'must have at most 1000 entries' }],
  });
});

test('the largest number that is exact is not', async () =>
  expect(await grant('9007199254740991')).toMatchObject({ balance: '9007199254740991' }));

test('what is wrong, field by field', async () => {
  fail = () => {
    throw validationError([
      { path: '/lines/0/quantity', message: 'must be a number' },
      { path: '', message: 'is empty' },
    ]);
  };
  expect(await failureOf(grant('1'))).toEqual({
    code: status.INVALID_ARGUMENT,
    info: { reason: 'VALIDATION', domain: 'invoicing', metadata: { kind: 'invalid' } },
    violations: [
      { field: 'lines[0].quantity', description: 'must be a number' },
      { field: '', description: 'is empty' },
    ],
    retry: undefined,
  });
});

test('when to come back', async () => {
  fail = () => {
    throw new AppError('busy', 'idempotency_in_flight', 'still running', { retryAfterSeconds: 7 });
  };
  expect(await failureOf(grant('1'))).toMatchObject({
    code: status.ABORTED,
    info: { reason: 'IDEMPOTENCY_IN_FLIGHT', metadata: { kind: 'busy' } },
    violations: undefined,
    retry: { seconds: 7 },
  });
});

test('what nobody expected says nothing', async () => {
  fail = () => {
    throw new Error('password 123');
  };
  const failure = await failureOf(grant('1'));
  expect(failure).toMatchObject({ code: status.INTERNAL, info: { reason: 'GENERIC' } });
  expect(JSON.stringify(failure)).not.toContain('123');
});

test('many violations: what is sent stays small, and says how many more there are', async () => {
  fail = () => {
    throw validationError(
      Array.from({ length: 500 }, (_, line) => ({ path: `/lines/${line}`, message: 'é'.repeat(100) })),
    );
  };
  const { violations } = await failureOf(grant('1'));
  expect(violations!.length).toBeLessThan(50);
  expect(violations!.at(-1)!.description).toBe(`and ${500 - violations!.length + 1} more`);
});
