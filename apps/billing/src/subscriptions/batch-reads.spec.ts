import type { Organization } from '../organizations/organization';
import type { Ports } from '../billing-ports';
import type { Catalog } from '../invoices/invoice-ports';
import { sharedReads } from './batch-reads';

const call = { deadline: 0 };
const idsOf = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

function world(fails: () => boolean = () => false) {
  const asked: { organizationId: string; customers: number; products: number }[] = [];
  let organizationReads = 0;
  const catalog: Catalog = {
    resolve: async (organizationId, { customerIds, productIds }) => {
      asked.push({ organizationId, customers: customerIds.length, products: productIds.length });
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (fails()) throw new Error('unreachable');
      const party = { name: organizationId } as never;
      return { customers: new Map(customerIds.map((id) => [id, { id, party }])), products: new Map() };
    },
    findCustomers: () => Promise.reject(new Error('is not asked for')),
  };
  const organizations = {
    find: async () => {
      organizationReads++;
      return {} as Organization;
    },
  };
  const ports = sharedReads({ catalog, organizations } as unknown as Ports);
  return { ports, asked, organizationReads: () => organizationReads };
}

test('what is asked while a call is on its way is asked together, each organisation by itself', async () => {
  const { ports, asked } = world();
  const answers = await Promise.all(
    idsOf('c', 40).map((id, index) =>
      ports.catalog.resolve(index % 2 ? 'one' : 'two', { customerIds: [id], productIds: [] }, call),
    ),
  );
  expect(asked).toEqual([
    { organizationId: 'two', customers: 1, products: 0 },
    { organizationId: 'one', customers: 1, products: 0 },
    { organizationId: 'two', customers: 19, products: 0 },
    { organizationId: 'one', customers: 19, products: 0 },
  ]);
  answers.forEach((answer, index) =>
    expect(answer.customers.get(`c${index}`)?.party.name).toBe(index % 2 ? 'one' : 'two'),
  );
});

test('a call never carries more ids than the catalog takes', async () => {
  const { ports, asked } = world();
  await Promise.all(
    idsOf('c', 5).map((id) => ports.catalog.resolve('one', { customerIds: [id], productIds: idsOf(id, 300) }, call)),
  );
  expect(asked.map(({ products }) => products)).toEqual([300, 300, 300, 300, 300]);
  await ports.catalog.resolve('one', { customerIds: [], productIds: idsOf('p', 700) }, call);
  expect(asked.at(-1)!.products).toBe(700);
});

test('a failure reaches everyone who asked, and the next question is asked anew', async () => {
  let isDown = true;
  const { ports } = world(() => isDown);
  const ask = () => ports.catalog.resolve('one', { customerIds: ['c'], productIds: [] }, call);
  const outcomes = await Promise.allSettled([ask(), ask(), ask()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isDown = false;
  expect((await ask()).customers.has('c')).toBe(true);
});

test('an organisation is read once for all who wait for it, and again for those who come later', async () => {
  const { ports, organizationReads } = world();
  await Promise.all([ports.organizations.find('one'), ports.organizations.find('one')]);
  expect(organizationReads()).toBe(1);
  await ports.organizations.find('one');
  expect(organizationReads()).toBe(2);
});
