import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { connectMongo } from '@invoicing/mongo';
import { testCall } from '@invoicing/testing';
import { invoiceSealer, type IssuedInvoice } from '../invoices/issued-invoice';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';
import { seriesKeys } from './series-keys';

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { privatePem, publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
};
const [first, second] = [newKey(), newKey()];

let harness: BillingHarness;
beforeAll(async () => (harness = await startBillingHarness({ seriesKey: first.privatePem })));
afterAll(() => harness?.close());

async function newSeller() {
  const admin = harness.as('admin');
  const wanted = { details: { name: 'Bakkerij De Zon' }, plan: Plan.UNSPECIFIED, mode: Mode.LIVE };
  const { id: organizationId } = await admin.organizations.createOrganization(wanted, testCall());
  const customerId = harness.peers.addCustomer(organizationId, {});
  const lines = [{ unitPriceCents: 100, vatTreatment: VatTreatment.UNSPECIFIED }];
  const issue = (to: { port: number } = harness.billing) =>
    harness
      .as('admin', to)
      .invoices.createInvoice(
        { organizationId, customerId, lines, send: true, post: false, requireEInvoice: false },
        testCall({ operationId: randomUUID() }),
      );
  const verify = async (to: { port: number } = harness.billing) =>
    (await harness.as('admin', to).invoices.verifyNumbers({ organizationId }, testCall())).series[0]!;
  return { organizationId, issue, verify };
}

async function rewriting(change: (invoices: ReturnType<typeof collectionOf>) => Promise<unknown>): Promise<void> {
  const connection = await connectMongo({ uri: harness.store.uri, database: 'billing' });
  await change(collectionOf(connection));
  await connection.close();
}
const collectionOf = (connection: Awaited<ReturnType<typeof connectMongo>>) =>
  connection.collection<IssuedInvoice>('invoices');

test('every document is signed, and a rewrite of the whole chain shows', async () => {
  const { organizationId, issue, verify } = await newSeller();
  for (let count = 0; count < 3; count++) await issue();
  expect(await verify()).toMatchObject({ count: 3, chainValid: true, signed: 3, signaturesValid: true });

  // Who can write the store changes an amount and computes every hash again: the chain is valid as before.
  await rewriting(async (invoices) => {
    let previousHash = '';
    for (const stored of await invoices.find({ organizationId }).sort({ seq: 1 }).toArray()) {
      // These two stand beside the sealed document.
      const { outbox, dueAt, ...issued } = stored as IssuedInvoice & { outbox: unknown; dueAt?: Date };
      const { number, series, seq, hash: _, previousHash: __, signature, ...content } = issued;
      const forged = invoiceSealer({ ...content, reason: 'forged' }, series, () => number)({ seq, previousHash });
      previousHash = forged.hash;
      await invoices.replaceOne({ _id: stored._id }, {
        ...forged,
        signature,
        outbox,
        ...(dueAt && { dueAt }),
      } as never);
    }
  });
  expect(await verify()).toMatchObject({ chainValid: true, signed: 0, signaturesValid: false });
});

test('a signature that was removed is noticed', async () => {
  const { organizationId, issue, verify } = await newSeller();
  for (let count = 0; count < 3; count++) await issue();
  const strip = (filter: object) =>
    rewriting((invoices) => invoices.updateMany({ organizationId, ...filter }, { $unset: { signature: 1 } }));
  await strip({ seq: 3 });
  expect(await verify()).toMatchObject({ chainValid: true, signed: 2, signaturesValid: false });
  await strip({});
  // A series from before there was a key looks like this; how many are signed tells the two apart.
  expect(await verify()).toMatchObject({ chainValid: true, signed: 0, signaturesValid: true });
});

test('keys rotate: the new one signs, and what the old one signed stays genuine while its public half is known', async () => {
  const { issue, verify } = await newSeller();
  await issue();
  const rotated = await harness.startWith({ seriesKey: `${second.privatePem}\n${first.publicPem}` });
  const forgetful = await harness.startWith({ seriesKey: second.privatePem });
  try {
    await issue(rotated);
    expect(await verify(rotated)).toMatchObject({ count: 2, signed: 2, signaturesValid: true });
    expect(await verify(forgetful)).toMatchObject({ count: 2, signed: 1, signaturesValid: false });
  } finally {
    await rotated.close();
    await forgetful.close();
  }
});

test('a file without a private key, or with another kind of key, is refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(() => seriesKeys(first.publicPem)).toThrow('no private key');
  expect(() => seriesKeys(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow('Ed25519');
  expect(() => seriesKeys('')).toThrow('no private key');
  // As one line of an environment file.
  expect(seriesKeys(first.privatePem.replaceAll('\n', '\\n')).sign).toBeDefined();
});
