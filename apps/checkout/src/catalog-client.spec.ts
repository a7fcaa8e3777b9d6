import type { MatchCustomerRequest } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { RpcChannel } from '@invoicing/rpc';
import { catalogClient } from './catalog-client';

test('a payer whose address no mail server takes is matched without it', async () => {
  const asked: MatchCustomerRequest[] = [];
  const matchCustomer = async (request: MatchCustomerRequest) => (asked.push(request), { id: 'customer' });
  const catalog = catalogClient({ client: () => ({ matchCustomer }) } as unknown as RpcChannel);
  for (const email of ['a..b@example.nl', 'a.b@example.nl'])
    await catalog.matchCustomer('o', { name: 'Anna', email }, 'operation', { requestId: 'r', deadline: 1 });
  expect(asked.map(({ details }) => details)).toEqual([
    { name: 'Anna', email: undefined },
    { name: 'Anna', email: 'a.b@example.nl' },
  ]);
});
