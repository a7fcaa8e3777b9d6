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
});
