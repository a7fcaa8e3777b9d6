import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import {
  CustomersService,
  HistoryService,
  ReferencesService,
  type CustomerDetails,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { VatChecksService } from '@invoicing/contracts/invoicing/catalog/v1/vat_checks';
import { openChannel, type RpcChannel, type RpcClient } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testCall, testIdentity, testPerson, type TestStore } from '@invoicing/testing';
import { startCatalog } from '../service';

// Numbers are looked up at an imitation of VIES on this machine, which answers as the real one does, or does not.

const DE = 'DE123456789';
const OWN = 'NL001234567B01';

let vies: Server;
let answer: { status?: number; body?: unknown; isSilent?: boolean };
const asked: Record<string, unknown>[] = [];
let store: TestStore;
let catalog: Awaited<ReturnType<typeof startCatalog>>;
const channels: RpcChannel[] = [];
let customers: RpcClient<typeof CustomersService>;
let checks: RpcClient<typeof VatChecksService>;
let references: RpcClient<typeof ReferencesService>;
let history: RpcClient<typeof HistoryService>;
let organizationId: string;
const person = () => testPerson(organizationId, 'owner');

beforeAll(async () => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
    if (answer.isSilent) return void request.socket.destroy();
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(body);
  };
  vies = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => vies.listen(0, '127.0.0.1', resolve));
  store = await startTestStore();
  const viesUrl = `http://127.0.0.1:${(vies.address() as AddressInfo).port}`;
  catalog = await startCatalog(
    { host: '127.0.0.1', port: 0, mongoUri: store.uri, identity: testIdentity('catalog'), viesUrl },
    createLogger('catalog', 'silent'),
  );
  const as = (identity: string): RpcChannel => {
    const channel = openChannel(`127.0.0.1:${catalog.port}`, testIdentity(identity));
    channels.push(channel);
    return channel;
  };
  customers = as('admin').client(CustomersService);
  references = as('billing').client(ReferencesService);
  const application = as('application');
  checks = application.client(VatChecksService);
  history = application.client(HistoryService);
});
afterAll(async () => {
  for (const channel of channels) channel.close();
  await catalog?.close();
  await store?.close();
  vies?.closeAllConnections();
  vies?.close();
});
beforeEach(() => {
  organizationId = randomUUID();
  asked.length = 0;
  answer = { body: good() };
});

const good = () => ({
  ...{ countryCode: 'DE', vatNumber: '123456789', requestDate: '2026-11-22T10:00:00.000Z', valid: true },
  ...{ requestIdentifier: 'WAPIAAAAX1', name: 'Stern GmbH', address: '---' },
});

async function customer(details: Partial<CustomerDetails> = {}): Promise<string> {
  const made = await customers.createCustomer(
    { organizationId, details: { name: 'Stern', btwId: DE, countryCode: 'DE', ...details } as CustomerDetails },
    testCall({ operationId: randomUUID() }),
  );
  return made.id;
}

const check = (customerId: string, requesterVatId = OWN) =>
  checks.checkVatId({ organizationId, customerId, requesterVatId }, person());
const stored = (customerId: string) => customers.getCustomer({ organizationId, customerId }, testCall());

test('the answer is kept as evidence: number, time, and all of it letter by letter; who asked stands in the history', async () => {
  const id = await customer();
  const before = Date.now();
  const { customer: found, unavailable } = await check(id);
  expect(unavailable).toBe('');
  expect(asked).toEqual([
    { countryCode: 'DE', vatNumber: '123456789', requesterMemberStateCode: 'NL', requesterNumber: '001234567B01' },
  ]);
  expect(found!.vatCheck).toMatchObject({
    ...{ vatId: DE, valid: true, consultationNumber: 'WAPIAAAAX1', name: 'Stern GmbH', address: '' },
    raw: JSON.stringify(good()),
  });
  expect(found!.vatCheck!.checkedAt!.getTime()).toBeGreaterThanOrEqual(before);
  expect((await stored(id)).vatCheck).toEqual(found!.vatCheck);
  const resolved = await references.resolveReferences(
    { organizationId, customerIds: [id], productIds: [] },
    testCall(),
  );
  expect(resolved.customers[0]!.vatCheck).toEqual(found!.vatCheck);
  const { entries } = await history.listHistory({ organizationId, limit: 1, cursor: undefined }, person());
  expect(entries[0]).toMatchObject({ action: 'customer.vat_id_checked', subject: { id } });
});

test('a number that VIES does not know is an answer, too', async () => {
  answer = { body: { ...good(), valid: false } };
  expect((await check(await customer())).customer!.vatCheck!.valid).toBe(false);
});

test.each([
  [
    'the member state is away',
    { body: { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] } },
    'MS_UNAVAILABLE',
  ],
  [
    'too many ask',
    { status: 500, body: { errorWrappers: [{ error: 'MS_MAX_CONCURRENT_REQ' }] } },
    'MS_MAX_CONCURRENT_REQ',
  ],
  ['it breaks off', { isSilent: true }, 'NO_ANSWER'],
  ['it answers a page', { body: '<html>' }, 'NO_ANSWER'],
  ['it does not say whether', { body: { ...good(), valid: 'yes' } }, 'NO_ANSWER'],
  ['it says far too much', { body: { ...good(), name: 'x'.repeat(30_000) } }, 'NO_ANSWER'],
])('when %s nothing is guessed, and what was known stays', async (_what, said, code) => {
  const id = await customer();
  const { customer: found } = await check(id);
  answer = said;
  expect(await check(id)).toEqual({ customer: undefined, unavailable: code });
  expect((await stored(id)).vatCheck).toEqual(found!.vatCheck);
});

test('what was answered about another number says nothing about this one', async () => {
  const id = await customer();
  await check(id);
  await customers.updateCustomer(
    {
      organizationId,
      customerId: id,
      details: { name: 'Stern', btwId: 'DE987654321' },
      updateMask: ['btwId'],
      revision: undefined,
    },
    testCall(),
  );
  expect((await stored(id)).vatCheck).toBeUndefined();
});

test('without a number of a member state there is nothing to ask; what VIES refuses is said', async () => {
  await expect(check(await customer({ btwId: '', countryCode: 'US' }))).rejects.toMatchObject({ code: 'validation' });
  expect(asked).toEqual([]);
  answer = { body: { actionSucceed: false, errorWrappers: [{ error: 'INVALID_REQUESTER_INFO' }] } };
  await expect(check(await customer())).rejects.toThrow('your own organisation');
  answer = { body: good() };
  await check(await customer(), '');
  expect(asked.at(-1)).toEqual({ countryCode: 'DE', vatNumber: '123456789' });
});

test('another organisation’s customer does not exist', async () => {
  const id = await customer();
  const other = randomUUID();
  await expect(
    checks.checkVatId({ organizationId: other, customerId: id, requesterVatId: '' }, testPerson(other, 'owner')),
  ).rejects.toMatchObject({ code: 'not_found' });
  expect(asked).toEqual([]);
});
