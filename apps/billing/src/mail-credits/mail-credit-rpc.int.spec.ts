import { randomUUID } from 'node:crypto';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { openChannel, type RpcChannel, type RpcClient } from '@invoicing/rpc';
import { testCall, testIdentity } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

type Credits = RpcClient<typeof CreditsService>;

let harness: BillingHarness;
let second: Awaited<ReturnType<BillingHarness['startSecond']>>;
const channels: RpcChannel[] = [];
let platform: Credits;
/** Letters of two replicas. */
let admin: Credits;
let letters: Credits[];
let organizationId: string;

const creditsAs = (caller: string, port: number): Credits => {
  const channel = openChannel(`127.0.0.1:${port}`, testIdentity(caller));
  channels.push(channel);
  return channel.client(CreditsService);
};

beforeAll(async () => {
  harness = await startBillingHarness();
  second = await harness.startSecond();
  platform = creditsAs('platform-billing', harness.billing.port);
  admin = creditsAs('admin', harness.billing.port);
  letters = [harness.billing.port, second.port].map((port) => creditsAs('notification', port));
});
afterAll(async () => {
  for (const channel of channels) channel.close();
  await second?.close();
  await harness?.close();
});
beforeEach(async () => {
  const request = { details: { name: 'Verkoper BV' }, plan: Plan.STANDARD, mode: Mode.LIVE };
  const created = await harness.as('admin').organizations.createOrganization(request, operation());
  organizationId = created.id;
});

const operation = (operationId = randomUUID()) => testCall({ operationId });
const grant = (credits: number, call = operation(), reason?: string) =>
  platform.grantCredits({ organizationId, credits, reason }, call);
const balance = () => admin.getCreditBalance({ organizationId }, testCall());

test('a grant is made once, and answers the same again', async () => {
  const call = operation();
  const answers = await Promise.all(Array.from({ length: 8 }, () => grant(25, call, 'opwaardering')));
  for (const answer of answers)
    expect(answer).toEqual({
      id: call.operationId,
      organizationId,
      credits: 25,
      balance: 25,
      reason: 'opwaardering',
      createdAt: answers[0]!.createdAt,
    });
  expect((await grant(5)).balance).toBe(30);
  expect(await balance()).toEqual({ balance: 30, reserved: 0 });
  await expect(grant(26, call)).rejects.toMatchObject({ code: 'idempotency_conflict' });
});

test('a grant that does not fit is refused', async () => {
  await expect(
    platform.grantCredits({ organizationId: randomUUID(), credits: 0, reason: 'x'.repeat(501) }, operation()),
  ).rejects.toMatchObject({
    kind: 'invalid',
    code: 'validation',
    details: [{ path: '/credits' }, { path: '/reason' }, { path: '/orgId' }],
  });
  const unknown = { organizationId: randomUUID() };
  await expect(admin.getCreditBalance(unknown, testCall())).rejects.toMatchObject({ code: 'not_found' });
});

test('only the platform grants, and only notification uses', async () => {
  for (const caller of ['admin', 'checkout', 'notification', 'catalog']) {
    const credits = creditsAs(caller, harness.billing.port);
    await expect(
      credits.grantCredits({ organizationId, credits: 1, reason: undefined }, operation()),
    ).rejects.toMatchObject({
      code: 'forbidden',
    });
  }
  const request = { organizationId, letterId: randomUUID() };
  await expect(platform.reserveCredit(request, testCall())).rejects.toMatchObject({ code: 'forbidden' });
  const gateway = creditsAs('gateway', harness.billing.port);
  expect(await gateway.grantCredits({ organizationId, credits: 1, reason: undefined }, operation())).toMatchObject({
    balance: 1,
  });
});

test('a letter reserves, then consumes or releases; repeats change nothing', async () => {
  await grant(2);
  const [first] = letters as [Credits];
  const request = { organizationId, letterId: randomUUID() };
  const other = { organizationId, letterId: randomUUID() };
  await expect(first.consumeCredit(request, testCall())).rejects.toMatchObject({ code: 'not_found' });
  for (const _ of [1, 2]) expect(await first.reserveCredit(request, testCall())).toEqual({ balance: 1, reserved: 1 });
  for (const _ of [1, 2]) expect(await first.consumeCredit(request, testCall())).toEqual({ balance: 1, reserved: 0 });
  await expect(first.releaseCredit(request, testCall())).rejects.toMatchObject({ code: 'not_found' });
  await first.reserveCredit(other, testCall());
  for (const _ of [1, 2]) expect(await first.releaseCredit(other, testCall())).toEqual({ balance: 1, reserved: 0 });
  // A letter that is tried anew reserves anew.
  expect(await first.reserveCredit(other, testCall())).toEqual({ balance: 0, reserved: 1 });
  await expect(first.reserveCredit({ organizationId, letterId: randomUUID() }, testCall())).rejects.toMatchObject({
    kind: 'blocked',
    code: 'no_credits',
  });
});

test('64 letters at once on two replicas take exactly what there is', async () => {
  await grant(40);
  const ids = Array.from({ length: 64 }, () => randomUUID());
  const reserve = async (letterId: string, index: number): Promise<boolean> => {
    try {
      await letters[index % 2]!.reserveCredit({ organizationId, letterId }, testCall());
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'no_credits' });
      return false;
    }
  };
  const taken = await Promise.all(ids.map(reserve));
  expect(taken.filter(Boolean)).toHaveLength(40);
  expect(await balance()).toEqual({ balance: 0, reserved: 40 });
  const holders = ids.filter((_, index) => taken[index]);
  await Promise.all(
    holders.map((letterId, index) => {
      const on = letters[index % 2]!;
      const request = { organizationId, letterId };
      return index < 10 ? on.releaseCredit(request, testCall()) : on.consumeCredit(request, testCall());
    }),
  );
  expect(await balance()).toEqual({ balance: 10, reserved: 0 });
});
