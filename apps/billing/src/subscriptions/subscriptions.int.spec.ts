import { randomUUID } from 'node:crypto';
import type { OutboxEntry } from '@invoicing/events';
import { type Connection } from '@invoicing/mongo';
import { startTestStore, waitFor, type TestStore } from '@invoicing/testing';
import type { Organization } from '../organizations/organization';
import type { Subscription } from './subscription';
import {
  addCustomer,
  addOrganization,
  newWorld,
  realPorts,
  setOrganization,
  type TestWorld,
} from '../testing/real-ports';
import { issueWaitingInvoices } from './issue-waiting-invoices';
import { deleteDraft } from '../invoices/update-draft';
import { listInvoices } from '../invoices/list-invoices';
import {
  createSubscription,
  getSubscription,
  previewSubscription,
  type SubscriptionInput,
} from './manage-subscriptions';
import { endSubscription, pauseSubscription, resumeSubscription, updateSubscription } from './change-subscription';
import { periodInvoiceId, runDueBatch, runSubscriptions, type PeriodOutcome } from './run-subscriptions';
import type { SubscriptionPorts } from './subscription-ports';

let store: TestStore;
let connection: Connection;
let world: TestWorld;
let ports: SubscriptionPorts;
let organization: Organization;
let customerId: string;

const call = () => ({ deadline: Date.now() + 20_000 });
const anna = { by: { kind: 'user', id: 'u-1', label: 'Anna' } as const };

beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store?.close());
afterEach(() => jest.restoreAllMocks());

// Every test has a database of its own: runs take everything that is due.
beforeEach(async () => {
  connection = await store.connect(`s${randomUUID().slice(0, 8)}`);
  world = newWorld('2027-01-15T12:00:00Z');
  ports = await realPorts(connection, world);
  organization = await addOrganization(ports);
  customerId = addCustomer(world).id;
});

const subscribe = (input: Partial<SubscriptionInput> = {}, operationId?: string): Promise<Subscription> =>
  createSubscription(
    ports,
    organization._id,
    {
      customerId,
      freq: 'monthly',
      interval: 1,
      autoSendEmail: true,
      autoSendPost: false,
      lines: [{ description: 'Hosting', unitPriceCents: 1000 }],
      ...input,
    },
    { ...call(), operationId },
  );

async function run(asOf?: string, on = ports): Promise<PeriodOutcome[]> {
  const outcomes: PeriodOutcome[] = [];
  for await (const outcome of runSubscriptions(on, asOf, call())) outcomes.push(outcome);
  return outcomes;
}

/** In the order of their numbers. */
const invoices = async () =>
  (await listInvoices(ports, organization._id, { limit: 1000 }, { deadline: Infinity })).invoices.sort((a, b) =>
    a.number < b.number ? -1 : 1,
  );
const ahead = async (id: string, count: number) => previewSubscription(ports, await current(id), count, call());
const current = (id: string) => getSubscription(ports, organization._id, id);

/** What is to be told of its periods, in order; no broker is there to take it. */
async function toldOf(id: string): Promise<unknown[]> {
  const subscriptions = connection.db!.collection<{ _id: string; outbox?: OutboxEntry[] }>('subscriptions');
  const { outbox = [] } = (await subscriptions.findOne({ _id: id })) ?? {};
  expect(new Set(outbox.map((entry) => entry.id)).size).toBe(outbox.length);
  return outbox.map(({ body }) => (JSON.parse(body) as { subscriptionInvoiced: unknown }).subscriptionInvoiced);
}

describe('creation', () => {
  test('an operation that runs again answers the same subscription', async () => {
    const id = randomUUID();
    const made = await Promise.all(Array.from({ length: 8 }, () => subscribe({}, id)));
    expect(new Set(made.map(({ _id }) => _id))).toEqual(new Set([id]));
    expect((await ports.subscriptions.page(organization._id, { limit: 100 })).items).toHaveLength(1);
    expect(made[0]).toMatchObject({ startDate: '2027-01-15', nextRunDate: '2027-01-15', status: 'active' });
  });

  test('a start in the past is caught up for one period at most, and for more once an operator says so', async () => {
    const begins = async (startDate: string) => (await subscribe({ startDate })).nextRunDate;
    // Today is 2027-01-15.
    expect(await begins('2026-12-15')).toBe('2026-12-15');
    expect(await begins('2026-12-20')).toBe('2026-12-20');
    // Not further back: the rhythm stays, what was before today is nobody's to pay.
    expect(await begins('2026-12-14')).toBe('2027-02-14');
    expect(await begins('2022-03-31')).toBe('2027-01-31');
    const invoiced = await run();
    expect(invoiced.map(({ periodDate }) => periodDate)).toEqual(['2026-12-15', '2026-12-20', '2027-01-15']);

    const limits = { mailQuotaPerDay: 1_000, catchUpPeriods: 3 };
    await setOrganization(ports, organization._id, { limits });
    expect([await begins('2026-11-14'), await begins('2026-10-14')]).toEqual(['2026-11-14', '2027-02-14']);
  });

  test('lines that add up to less than nothing are refused when it is made', async () => {
    const lines = [
      { description: 'Hosting', unitPriceCents: 1_000 },
      { description: 'Korting', unitPriceCents: -1_001 },
    ];
    await expect(subscribe({ lines })).rejects.toMatchObject({ details: [{ path: '/lines' }] });
    const free = [lines[0]!, { description: 'Korting', unitPriceCents: -1_000 }];
    expect(await subscribe({ lines: free })).toMatchObject({ status: 'active' });
  });

  test('everything that is wrong is said at once', async () => {
    const input = { freq: undefined, interval: 0, startDate: '2027-02-30', customerId: randomUUID(), lines: [] };
    await expect(subscribe({ ...input, profileId: randomUUID() })).rejects.toMatchObject({
      code: 'validation',
      details: ['/freq', '/interval', '/startDate', '/customerId', '/profileId', '/lines'].map((path) => ({ path })),
    });
  });

  test.each([
    [{ interval: 1.5 }, '/interval'],
    [{ interval: 101 }, '/interval'],
    [{ startDate: '2021-12-31' }, '/startDate'],
    [{ lines: [{ productId: '0b1c2d3e-0000-4000-8000-000000000000' }] }, '/lines/0/productId'],
  ])('%j is refused at %s', async (input, path) => {
    await expect(subscribe(input)).rejects.toMatchObject({ details: [{ path }] });
  });

  test('an id of another organisation is refused, and answers nothing of it', async () => {
    const { _id } = await subscribe();
    organization = await addOrganization(ports);
    await expect(subscribe({}, _id)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await expect(getSubscription(ports, organization._id, _id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a run', () => {
  test('invoices every period once, in order, dated by the period', async () => {
    const { _id } = await subscribe({ startDate: '2027-01-31' });
    const outcomes = await run('2027-05-31');
    const dates = ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'];
    expect(outcomes).toEqual(
      dates.map((date) => ({
        subscriptionId: _id,
        periodDate: date,
        invoiceId: periodInvoiceId(_id, date),
        error: '',
      })),
    );
    expect(await invoices()).toMatchObject(
      dates.map((issueDate, index) => ({ issueDate, number: `2027-000${index + 1}`, status: 'sent' })),
    );
    expect(await current(_id)).toMatchObject({ nextRunDate: '2027-06-30', lastRunDate: '2027-05-31' });
    expect(await run('2027-05-31')).toEqual([]);
  });

  test('numbers follow dates across subscriptions', async () => {
    await subscribe({ startDate: '2027-01-20', freq: 'weekly' });
    await subscribe({ startDate: '2027-01-16', freq: 'weekly', interval: 2 });
    await run('2027-03-01');
    const dates = (await invoices()).map(({ issueDate }) => issueDate);
    expect(dates).toHaveLength(10);
    expect(dates).toEqual([...dates].sort());
  });

  test('each period is told once, with its invoice and what comes next', async () => {
    const sent = await subscribe();
    const draft = await subscribe({ autoSendEmail: false });
    await run('2027-02-15');
    await run('2027-02-15');
    const at = (status: 'issued' | 'draft', { _id }: Subscription, periodDate: string, nextRunDate: string) => ({
      ...{ subscriptionId: _id, customerId, periodDate, nextRunDate, invoiceId: periodInvoiceId(_id, periodDate) },
      // As proto JSON has it: what is false is left out.
      ...(status === 'issued' && { issued: true }),
    });
    expect(await toldOf(sent._id)).toEqual([
      at('issued', sent, '2027-01-15', '2027-02-15'),
      at('issued', sent, '2027-02-15', '2027-03-15'),
    ]);
    expect(await toldOf(draft._id)).toEqual([
      at('draft', draft, '2027-01-15', '2027-02-15'),
      at('draft', draft, '2027-02-15', '2027-03-15'),
    ]);
    // What is still to be told is no part of it.
    expect(await current(sent._id)).not.toHaveProperty('outbox');
  });

  test('without automatic sending the invoice stays a draft', async () => {
    await subscribe({ autoSendEmail: false });
    await run();
    expect(await invoices()).toMatchObject([{ status: 'draft', issueDate: '2027-01-15' }]);
  });

  test('posting alone issues without an e-mail', async () => {
    const { _id } = await subscribe({ autoSendEmail: false, autoSendPost: true });
    await run();
    expect(await ports.invoices.find(organization._id, periodInvoiceId(_id, '2027-01-15'))).toMatchObject({
      number: '2027-0001',
      delivery: { email: false, post: true },
    });
  });

  test('what a test organisation wished for is passed on to every invoice, sent or posted, and to what is told of it', async () => {
    const wished = { ...call(), testScenario: 'webhook_500' as const };
    const terms = {
      customerId,
      freq: 'monthly' as const,
      interval: 1,
      lines: [{ description: 'a', unitPriceCents: 100 }],
    };
    const make = (how: 'autoSendEmail' | 'autoSendPost') =>
      createSubscription(
        ports,
        organization._id,
        { ...terms, autoSendEmail: false, autoSendPost: false, [how]: true },
        { ...wished, operationId: randomUUID() },
      );
    const made = [await make('autoSendEmail'), await make('autoSendPost'), await subscribe()];
    await run('2027-02-15');
    const scenarios = made.map(({ _id }) =>
      Promise.all(
        ['2027-01-15', '2027-02-15'].map(async (date) => {
          const invoice = await ports.invoices.find(organization._id, periodInvoiceId(_id, date));
          return invoice!.testScenario;
        }),
      ),
    );
    expect(await Promise.all(scenarios)).toEqual([
      ['webhook_500', 'webhook_500'],
      ['webhook_500', 'webhook_500'],
      [undefined, undefined],
    ]);
    expect(await current(made[0]!._id)).toMatchObject({ testScenario: 'webhook_500' });
  });

  test("today is the organisation's", async () => {
    world.now = new Date('2027-03-31T22:30:00Z');
    const { _id } = await subscribe({ startDate: '2027-04-01' });
    const inUtc = await addOrganization(ports, { timezone: 'UTC' });
    organization = inUtc;
    await subscribe({ startDate: '2027-04-01' });
    expect(await run()).toMatchObject([{ subscriptionId: _id, periodDate: '2027-04-01' }]);
    world.now = new Date('2027-04-01T00:00:00Z');
    expect(await runDueBatch(ports)).toBe(true);
    expect(await invoices()).toMatchObject([{ issueDate: '2027-04-01' }]);
  });

  test('a failure is visible, is tried again later, and holds up nobody', async () => {
    const gone = addCustomer(world);
    const failing = await subscribe({ customerId: gone.id });
    await subscribe();
    world.customers.delete(gone.id);
    expect(await runDueBatch(ports)).toBe(true);
    expect(await runDueBatch(ports)).toBe(false);
    expect(await invoices()).toHaveLength(1);
    expect(await current(failing._id)).toMatchObject({
      lastError: 'validation /customerId',
      lastRunDate: null,
      attempts: 1,
    });
    world.customers.set(gone.id, gone);
    world.now = new Date(world.now.getTime() + 60_000);
    expect(await runDueBatch(ports)).toBe(true);
    expect(await current(failing._id)).toMatchObject({ lastError: '', lastRunDate: '2027-01-15', attempts: 0 });
  });

  test('an operator is told of failures and the run ends', async () => {
    const gone = addCustomer(world);
    const { _id } = await subscribe({ customerId: gone.id });
    world.customers.delete(gone.id);
    const failure = { subscriptionId: _id, periodDate: '2027-01-15', invoiceId: '', error: 'validation /customerId' };
    expect(await run('2027-06-01')).toEqual([failure]);
    // Again even when the clock was set back, and without waiting for the next attempt.
    world.now = new Date('2027-01-15T09:00:00Z');
    expect(await run('2027-06-01')).toEqual([failure]);
  });

  test('a clock that is set back invoices nothing twice', async () => {
    await subscribe({ freq: 'weekly' });
    await runDueBatch(ports);
    world.now = new Date('2027-01-22T12:00:00Z');
    await runDueBatch(ports);
    world.now = new Date('2027-01-15T12:00:00Z');
    expect(await runDueBatch(ports)).toBe(false);
    expect(await run('2027-01-22')).toEqual([]);
    expect(await invoices()).toHaveLength(2);
  });

  test.each(['2027-13-01', '2040-01-01', 'soon'])('as of %s is refused', async (asOf) => {
    await expect(run(asOf)).rejects.toMatchObject({ details: [{ path: '/asOf' }] });
  });
});

describe('pausing', () => {
  test('skips the periods in the pause and no others', async () => {
    await setOrganization(ports, organization._id, { limits: { mailQuotaPerDay: 1_000, catchUpPeriods: 10 } });
    const { _id } = await subscribe({ freq: 'weekly', startDate: '2027-01-04' });
    expect(await pauseSubscription(ports, organization._id, _id, call())).toMatchObject({ status: 'paused' });
    world.now = new Date('2027-02-01T12:00:00Z');
    expect(await run()).toEqual([]);
    const preview = await ahead(_id, 4);
    const expected = ['2027-01-04', '2027-01-11', '2027-02-01', '2027-02-08'];
    expect(preview).toEqual(expected.map((date) => ({ date, totalInclCents: 1210 })));
    await resumeSubscription(ports, organization._id, _id, call());
    expect((await run('2027-02-08')).map(({ periodDate }) => periodDate)).toEqual(expected);
  });

  test('an end is final', async () => {
    const { _id } = await subscribe();
    expect(await endSubscription(ports, organization._id, _id, call())).toMatchObject({ status: 'ended' });
    expect(await endSubscription(ports, organization._id, _id, call())).toMatchObject({ status: 'ended' });
    for (const change of [pauseSubscription, resumeSubscription])
      await expect(change(ports, organization._id, _id, call())).rejects.toMatchObject({ code: 'subscription_ended' });
    expect(await run('2027-12-31')).toEqual([]);
    expect(await ahead(_id, 3)).toEqual([]);
  });

  test('changes at once all take effect', async () => {
    const { _id } = await subscribe({ freq: 'weekly' });
    await Promise.all([
      run('2027-03-01'),
      pauseSubscription(ports, organization._id, _id, call()),
      endSubscription(ports, organization._id, _id, call()),
    ]);
    expect((await current(_id)).status).toBe('ended');
  });
});

test('in arrears invoices wait as drafts and are issued when the arrears end', async () => {
  const { _id } = await subscribe();
  await subscribe({ autoSendEmail: false, autoSendPost: true });
  await setOrganization(ports, organization._id, { billingStatus: 'arrears' });
  expect((await run('2027-02-15')).every(({ error }) => error === '')).toBe(true);
  await issueWaitingInvoices(ports);
  expect((await invoices()).map(({ status }) => status)).toEqual(['draft', 'draft', 'draft', 'draft']);
  expect(await current(_id)).toMatchObject({ lastError: '', nextRunDate: '2027-03-15' });
  // One is deleted by hand meanwhile: it stays deleted.
  await deleteDraft(ports, organization._id, periodInvoiceId(_id, '2027-02-15'), undefined, call());

  await setOrganization(ports, organization._id, { billingStatus: 'active' });
  await Promise.all([issueWaitingInvoices(ports), issueWaitingInvoices(ports)]);
  expect((await invoices()).map(({ status, issueDate }) => [status, issueDate])).toEqual([
    ['sent', '2027-01-15'],
    ['sent', '2027-01-15'],
    ['sent', '2027-02-15'],
  ]);
  expect(await ports.waiting.organizations(world.now)).toEqual([]);
  expect(world.errors).toEqual([]);
});

test('an invoice that cannot be issued after arrears is tried again later, and holds up no other', async () => {
  const gone = addCustomer(world);
  const failing = await subscribe({ customerId: gone.id });
  await subscribe();
  await setOrganization(ports, organization._id, { billingStatus: 'arrears' });
  await run();
  await setOrganization(ports, organization._id, { billingStatus: 'active' });
  world.customers.delete(gone.id);
  await issueWaitingInvoices(ports);
  await issueWaitingInvoices(ports);
  expect(world.errors).toHaveLength(1);
  expect((await invoices()).map(({ status }) => status).sort()).toEqual(['draft', 'sent']);
  world.customers.set(gone.id, gone);
  world.now = new Date(world.now.getTime() + 10_000);
  await issueWaitingInvoices(ports);
  expect(await ports.invoices.find(organization._id, periodInvoiceId(failing._id, '2027-01-15'))).toMatchObject({
    number: '2027-0002',
  });
});

test('hundreds of due subscriptions on three replicas that are killed again and again', async () => {
  const count = 300;
  const made = await Promise.all(Array.from({ length: count }, () => subscribe()));
  // A killed replica never sends another command; what it sent before may still arrive.
  const killable = (replica: SubscriptionPorts, commands: number): SubscriptionPorts => {
    let left = commands;
    const guard = <T extends object>(port: T): T =>
      new Proxy(port, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
          return (...given: unknown[]) => (left-- > 0 ? method.apply(target, given) : new Promise(() => undefined));
        },
      });
    return { ...replica, subscriptions: guard(replica.subscriptions), periodInvoices: guard(replica.periodInvoices) };
  };
  let kills = 0;
  const replicate = async (index: number): Promise<void> => {
    for (let life = 0; life < 40; life++) {
      // The last lives are long enough to finish.
      const doomed = killable(await realPorts(connection, world), life < 4 ? 20 + index * 17 + life * 5 : 1e9);
      const died = new Promise<'killed'>((resolve) => setTimeout(resolve, 400, 'killed'));
      const ended = await Promise.race([runDueBatch(doomed), died]);
      if (ended === 'killed') {
        kills++;
        world.now = new Date(world.now.getTime() + 61_000);
      } else if (!ended) return;
    }
  };
  await Promise.all([replicate(0), replicate(1), replicate(2)]);
  world.now = new Date(world.now.getTime() + 61_000);
  while (await runDueBatch(ports));
  expect(kills).toBeGreaterThan(2);
  expect(world.errors).toEqual([]);
  const issued = await connection
    .db!.collection<{ _id: string; seq: number }>('invoices')
    .find()
    .sort({ seq: 1 })
    .toArray();
  expect(issued.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(new Set(issued.map(({ _id }) => _id))).toEqual(
    new Set(made.map(({ _id }) => periodInvoiceId(_id, '2027-01-15'))),
  );
  for (const { _id } of made) expect(await toldOf(_id)).toHaveLength(1);
});

describe('new terms', () => {
  const update = (id: string, changes: object, more: { from?: string; revision?: number } = {}) =>
    updateSubscription(ports, organization._id, id, { changes, ...more }, { ...call(), ...anna });
  const priced = (unitPriceCents: number) => ({ lines: [{ description: 'Hosting', unitPriceCents }] });
  const totals = async () => (await invoices()).map(({ issueDate, totalInclCents }) => [issueDate, totalInclCents]);

  test('from a date: what was made stays, what comes after it says the new price, and another rhythm goes on', async () => {
    const { _id } = await subscribe({ startDate: '2027-01-31' });
    await run('2027-02-28');
    await update(_id, priced(2_000), { from: '2027-04-01' });
    await update(_id, { freq: 'quarterly' }, { from: '2027-05-15' });
    expect(await ahead(_id, 5)).toEqual([
      { date: '2027-03-31', totalInclCents: 1_210 },
      { date: '2027-04-30', totalInclCents: 2_420 },
      { date: '2027-05-31', totalInclCents: 2_420 },
      { date: '2027-08-31', totalInclCents: 2_420 },
      { date: '2027-11-30', totalInclCents: 2_420 },
    ]);
    await run('2027-08-31');
    expect(await totals()).toEqual([
      ['2027-01-31', 1_210],
      ['2027-02-28', 1_210],
      ['2027-03-31', 1_210],
      ['2027-04-30', 2_420],
      ['2027-05-31', 2_420],
      ['2027-08-31', 2_420],
    ]);
    expect(await current(_id)).toMatchObject({ startDate: '2027-01-31', laterTerms: [], nextRunDate: '2027-11-30' });
  });

  test('an invoice that a run was cut off after keeps its terms, and the next one has the new ones', async () => {
    const { _id } = await subscribe({ startDate: '2027-01-15' });
    jest.spyOn(ports.subscriptions, 'finish').mockImplementationOnce(() => new Promise(() => undefined));
    void runDueBatch(ports);
    await waitFor(async () => (await invoices()).length === 1);
    world.now = new Date(world.now.getTime() + 3_600_000);
    await update(_id, { freq: 'yearly', ...priced(9_900) });
    await run('2028-02-15');
    expect(await totals()).toEqual([
      ['2027-01-15', 1_210],
      ['2027-02-15', 11_979],
      ['2028-02-15', 11_979],
    ]);
  });

  test('while an invoice is being made nobody changes what it says', async () => {
    const { _id } = await subscribe({ startDate: '2027-01-15' });
    const { make } = ports.periodInvoices;
    let changed: Promise<unknown> | undefined;
    jest.spyOn(ports.periodInvoices, 'make').mockImplementationOnce(async (...args) => {
      changed = update(_id, { interval: 3, ...priced(5_000) });
      await new Promise((resolve) => setTimeout(resolve, 300));
      return make(...args);
    });
    await run('2027-01-15');
    await changed;
    await run('2027-05-15');
    expect(await totals()).toEqual([
      ['2027-01-15', 1_210],
      ['2027-02-15', 6_050],
      ['2027-05-15', 6_050],
    ]);
  });

  test('what makes no invoice, or has ended, is refused; so is what another has changed', async () => {
    const { _id } = await subscribe({ startDate: '2027-02-15' });
    await expect(update(_id, { interval: 0 })).rejects.toMatchObject({ details: [{ path: '/interval' }] });
    await expect(update(_id, { lines: [] })).rejects.toMatchObject({ code: 'validation' });
    await expect(update(_id, priced(1), { from: '2027-02-30' })).rejects.toMatchObject({
      details: [{ path: '/from' }],
    });
    const changed = await update(_id, { note: 'Bedankt' }, { revision: 0 });
    expect(changed).toMatchObject({ note: 'Bedankt', revision: 1 });
    await expect(update(_id, { note: 'Dag' }, { revision: 0 })).rejects.toMatchObject({
      code: 'revision_conflict',
    });
    expect(await update(_id, { note: undefined })).toMatchObject({ note: null });
    await endSubscription(ports, organization._id, _id, call());
    await expect(update(_id, { note: 'Te laat' })).rejects.toMatchObject({ code: 'subscription_ended' });
  });
});
