import { send, startEdge } from '../testing/test-gateway';

let edge: Awaited<ReturnType<typeof startEdge>>;
let key: string;
let customerId: string;

beforeAll(async () => {
  edge = await startEdge();
  const { id: organizationId } = edge.services.addOrganization();
  key = (await edge.gateway.createKey({ organizationId })).secret;
  customerId = (await post('/api/v1/customers', { name: 'Afnemer' })).data.id!;
});
afterAll(() => edge?.close());

async function post(path: string, body: unknown) {
  const answer = await send(edge.gateway.url, 'POST', path, { key, body });
  return answer.body as { data: { id?: string }; warnings?: unknown };
}

test('what a service warns of stands beside `data`, and nothing does when it warns of nothing', async () => {
  const invoice = (vatTreatment: string) =>
    post('/api/v1/invoices', { customerId, lines: [{ unitPriceCents: 100, vatTreatment }] });
  expect(Object.keys(await invoice('standard_21'))).toEqual(['data']);
  const warned = await invoice('intra_community');
  expect(warned.warnings).toEqual([
    { code: 'intra_community_not_possible', message: 'not here', field: '/lines/0/vatTreatment' },
  ]);
  expect(warned.data).not.toHaveProperty('warnings');
  const lines = [{ description: 'a', unitPriceCents: 100, vatTreatment: 'intra_community' }];
  expect(await post('/api/v1/checkouts', { title: 'Workshop', lines })).toMatchObject({ warnings: warned.warnings });
});

test('a register number that is no KvK number is kept and warned about: of a customer, and of the payer of a checkout', async () => {
  const odd = { name: 'Afnemer', kvkNumber: '1234567', countryCode: 'NL' };
  const warning = { code: 'not_a_kvk_number', message: 'is kept, but a KvK number has 8 digits', field: '/kvkNumber' };
  expect(await post('/api/v1/customers', odd)).toMatchObject({ data: odd, warnings: [warning] });
  expect(await post('/api/v1/customers', { ...odd, kvkNumber: '12345678' })).not.toHaveProperty('warnings');
  const checkout = (customer: object) =>
    post('/api/v1/checkouts', { title: 'Workshop', lines: [{ unitPriceCents: 100, description: 'a' }], customer });
  expect((await checkout(odd)).warnings).toEqual([{ ...warning, field: '/customer/kvkNumber' }]);
  expect(await checkout({ ...odd, countryCode: 'DE' })).not.toHaveProperty('warnings');
});
