import { randomInt, randomUUID } from 'node:crypto';
import { BillingStatus, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { newKeyText } from '../keys/key-text';
import { fuzz } from '../testing/fuzz';
import { startEdge } from '../testing/test-gateway';

// FUZZ=100000 for the long run, FUZZ_SEED for one that was before. FUZZ_URL and FUZZ_KEYS (comma separated) aim it at a running platform instead.
const REQUESTS = Number(process.env['FUZZ'] ?? 3_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));

test(`${REQUESTS} requests made from the document: no 500, no answer that it does not have`, async () => {
  const { FUZZ_URL: url, FUZZ_KEYS: keys = '' } = process.env;
  const statuses = url
    ? await fuzz({ url, keys: keys.split(','), ids: await existingIds(url, keys.split(',')[0] ?? '') }, REQUESTS, SEED)
    : await fuzzOwn();
  if (process.env['FUZZ']) process.stderr.write(`seed ${SEED}: ${JSON.stringify(statuses)}\n`);
  // It came through the gate often enough to mean something.
  for (const status of [200, 201, 400]) expect(statuses[status]).toBeGreaterThan(REQUESTS / 30);
}, 3_600_000);

async function fuzzOwn(): Promise<Record<string, number>> {
  const { gateway, services, close } = await startEdge();
  const organization = services.addOrganization();
  const profileId = organization.profiles[0]?.id;
  const key = async (request: Parameters<typeof gateway.createKey>[0]) => (await gateway.createKey(request)).secret;
  const good = await key({ organizationId: organization.id });
  const keys = [
    ...Array.from({ length: 12 }, () => good),
    await key({ platform: true }),
    await key({ organizationId: organization.id, profileId }),
    await key({ organizationId: organization.id, scopes: ['invoices:read'] }),
    await key({ organizationId: services.addOrganization({ plan: Plan.FREE }).id }),
    await key({ organizationId: services.addOrganization({ billingStatus: BillingStatus.ARREARS }).id }),
    newKeyText('live'),
  ];
  const customer = await gateway.send('POST', '/api/v1/customers', { key: good, body: { name: 'Jan' } });
  const ids = [customer.body.data.id as string, profileId ?? '', organization.id];
  try {
    return await fuzz({ url: gateway.url, keys, ids }, REQUESTS, SEED);
  } finally {
    await close();
  }
}

async function existingIds(url: string, key: string): Promise<string[]> {
  const listed = await Promise.all(
    ['customers', 'products'].map(async (what) => {
      const answer = await fetch(`${url}/api/v1/${what}`, { headers: { authorization: `Bearer ${key}` } });
      return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    }),
  );
  return [...listed.flatMap((each) => each.slice(0, 3)), randomUUID()];
}
