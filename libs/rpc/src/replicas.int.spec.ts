import { openChannel } from './rpc-client';
import { call, echoDefinition, identityOf, startEcho } from './testing/echo-service';

test('calls go round the replicas, and one that stops gently costs no call', async () => {
  const served = [0, 0];
  const replicas = await Promise.all(
    served.map((_, index) => startEcho({ say: async (request) => (served[index]!++, request) })),
  );
  const target = `ipv4:${replicas.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  const channel = openChannel(target, identityOf('billing'));
  const client = channel.client(echoDefinition);
  const say = (): Promise<unknown> => client.say({ text: '' }, call());

  for (let i = 0; i < 40 && Math.min(...served) === 0; i++) await say();
  expect(Math.min(...served)).toBeGreaterThan(0);

  const stopping = replicas[0]!.close();
  const before = served[1]!;
  for (let i = 0; i < 50; i++) await say();
  await stopping;
  for (let i = 0; i < 50; i++) await say();
  expect(served[1]! - before).toBeGreaterThanOrEqual(50);

  channel.close();
  await replicas[1]!.close();
});
