import {
  type ChannelCredentials,
  credentials,
  loadPackageDefinition,
  Metadata,
  type Client,
  type ClientDuplexStream,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { MaintenanceService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { bindService } from './rpc-server';
import { startEcho } from './testing/echo-service';

// A foreign client, as operators' tools are: made from the public protos alone.

interface ReflectionStub extends Client {
  ServerReflectionInfo: (
    metadata: Metadata,
  ) => ClientDuplexStream<object, { listServicesResponse?: { service: { name: string }[] } }>;
}
interface HealthStub extends Client {
  Check: (request: object, done: (error: { code: number } | null, answer?: { status: string }) => void) => void;
}
type StubClass<T> = new (address: string, channel: ChannelCredentials) => T;

function stubOf<T>(proto: string, pick: (root: never) => unknown, port: number): T {
  const root = loadPackageDefinition(loadSync(require.resolve(proto), { enums: String })) as never;
  return new (pick(root) as StubClass<T>)(`127.0.0.1:${port}`, credentials.createInsecure());
}

let healthy = true;
let echo: Awaited<ReturnType<typeof startEcho>>;
const stubs: Client[] = [];
beforeAll(async () => {
  const maintenance = bindService(
    MaintenanceService,
    { setMaintenance: async ({ on }) => ({ on }), getMaintenance: async () => ({ on: false }) },
    { setMaintenance: { callers: ['admin'] }, getMaintenance: { callers: ['admin'] } },
  );
  echo = await startEcho({}, { isHealthy: () => healthy, services: [maintenance] });
});
afterAll(async () => {
  for (const stub of stubs) stub.close();
  await echo.close();
});

test('health needs no token and says whether the service works', async () => {
  const stub = stubOf<HealthStub>(
    'grpc-health-check/proto/health/v1/health.proto',
    (root: { grpc: { health: { v1: { Health: unknown } } } }) => root.grpc.health.v1.Health,
    echo.port,
  );
  stubs.push(stub);
  const check = (): Promise<string | undefined> =>
    new Promise((resolve, reject) =>
      stub.Check({ service: '' }, (error, answer) => (error ? reject(error as never) : resolve(answer?.status))),
    );
  await expect(check()).resolves.toBe('SERVING');
  healthy = false;
  for (let i = 0; i < 100 && (await check()) === 'SERVING'; i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(check()).resolves.toBe('NOT_SERVING');
});

describe.each(['v1', 'v1alpha'] as const)('reflection %s', (version) => {
  const list = (metadata: Metadata): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const stub = stubOf<ReflectionStub>(
        `@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`,
        (root: { grpc: { reflection: Record<string, { ServerReflection: unknown }> } }) =>
          root.grpc.reflection[version]?.ServerReflection,
        echo.port,
      );
      stubs.push(stub);
      const stream = stub.ServerReflectionInfo(metadata);
      stream.on('error', reject);
      stream.on('data', ({ listServicesResponse }: { listServicesResponse?: { service: { name: string }[] } }) => {
        resolve(listServicesResponse?.service.map(({ name }) => name) ?? []);
        stream.end();
      });
      stream.write({ listServices: '' });
    });

  test('tells a known identity what there is', async () => {
    const metadata = new Metadata();
    metadata.set('authorization', 'Bearer token-billing');
    const services = await list(metadata);
    expect(services).toEqual(['invoicing.gateway.v1.Maintenance', 'grpc.health.v1.Health']);
  });

  test('answers health without a token, and nothing else', async () => {
    await expect(list(new Metadata())).resolves.toEqual(['grpc.health.v1.Health']);
    const wrong = new Metadata();
    wrong.set('authorization', 'Bearer guessed');
    await expect(list(wrong)).resolves.toEqual(['grpc.health.v1.Health']);
  });
});
