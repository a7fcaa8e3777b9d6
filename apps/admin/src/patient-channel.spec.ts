import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { AppError } from '@invoicing/errors';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import { patientChannel } from './patient-channel';

/** A channel whose first calls are refused so; how often it was asked. */
function refusing(times: number, error: AppError) {
  let asked = 0;
  const answer = (): Promise<unknown> => (++asked <= times ? Promise.reject(error) : Promise.resolve({ id: 'made' }));
  const client = () => Object.fromEntries(Object.keys(OrganizationsService).map((name) => [name, answer]));
  const channel = { client, close: () => undefined } as unknown as RpcChannel;
  const organizations = patientChannel(channel).client(OrganizationsService);
  const create = (operationId?: string) =>
    organizations.createOrganization({} as never, newCallContext(60_000, operationId ? { operationId } : {}));
  return { create, asked: () => asked };
}
const notYet = new AppError('unavailable', 'unavailable', 'a part does not answer', { retryAfterSeconds: 0.01 });

test('an operation is asked for again while a part does not answer yet, and given up in the end', async () => {
  const soon = refusing(2, notYet);
  await expect(soon.create('operation')).resolves.toEqual({ id: 'made' });
  expect(soon.asked()).toBe(3);
  const never = refusing(Infinity, notYet);
  await expect(never.create('operation')).rejects.toBe(notYet);
  expect(never.asked()).toBe(5);
});

test('what has no operation, and what is refused otherwise, is not repeated', async () => {
  const without = refusing(1, notYet);
  await expect(without.create()).rejects.toBe(notYet);
  const refused = new AppError('forbidden', 'forbidden', 'no');
  await expect(refusing(1, refused).create('operation')).rejects.toBe(refused);
  const unreachable = new AppError('unavailable', 'unavailable', 'refused');
  await expect(refusing(1, unreachable).create('operation')).rejects.toBe(unreachable);
});
