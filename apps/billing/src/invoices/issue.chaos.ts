import { randomUUID } from 'node:crypto';
import { connectMongo } from '@invoicing/mongo';
import { newCallContext } from '@invoicing/rpc';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { becomePart, startFragileBilling, type FragileBilling } from '../testing/fragile-billing';

const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 60);
const CLIENTS = 24;
const CALL_TIMEOUT_MS = 4_000;
const SETTLE_MS = 60_000;

interface Tally {
  /** operation → number, as it was answered. */
  readonly acknowledged: Map<string, string>;
  attempts: number;
  readonly contradictions: string[];
}

/**
 * Three issuing processes on one series, killed at random, and the store under them too; clients repeat each operation until it is
 * answered. Afterwards every number that was answered must be there, in series without gap and with an unbroken chain.
 */
export async function run(): Promise<void> {
  if (await becomePart()) return new Promise(() => undefined);
  const billing = await startFragileBilling(3);
  try {
    const organization = await billing
      .client('admin')
      .organizations.createOrganization(
        { details: { name: 'Chaos' }, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED },
        newCallContext(CALL_TIMEOUT_MS),
      );
    const customerId = billing.addCustomer(organization.id);
    const tally: Tally = { acknowledged: new Map(), attempts: 0, contradictions: [] };
    const endsAt = Date.now() + SECONDS * 1_000;
    const clients = Array.from({ length: CLIENTS }, () =>
      issueUntil(endsAt, billing, organization.id, customerId, tally),
    );
    const kills = await billing.killAtRandomUntil(endsAt);
    await Promise.all(clients);
    await check(billing, organization.id, tally);
    console.log(`${kills.issuers} kills of issuers, ${kills.store} of the store in ${SECONDS} s`);
  } finally {
    await billing.close();
  }
}

/** One client: one operation after the other, each repeated at any process until it is answered. */
async function issueUntil(
  endsAt: number,
  billing: FragileBilling,
  organizationId: string,
  customerId: string,
  tally: Tally,
): Promise<void> {
  const line = { unitPriceCents: 1_000, vatTreatment: VatTreatment.UNSPECIFIED };
  const request = { organizationId, customerId, lines: [line], send: true, post: false, requireEInvoice: false };
  while (Date.now() < endsAt) {
    const operationId = randomUUID();
    const givesUpAt = endsAt + SETTLE_MS;
    for (let answered = false; !answered;) {
      if (Date.now() > givesUpAt)
        throw new Error(`operation ${operationId} is not answered ${SETTLE_MS} ms after the end`);
      tally.attempts++;
      const call = newCallContext(CALL_TIMEOUT_MS, { operationId });
      const created = await billing
        .client('gateway')
        .invoices.createInvoice(request, call)
        .catch(() => undefined);
      if (!created) {
        // Killed, or not up again yet: ask again, as a gateway's caller would.
        await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
        continue;
      }
      answered = true;
      const before = tally.acknowledged.get(operationId);
      if (before !== undefined && before !== created.number) tally.contradictions.push(operationId);
      tally.acknowledged.set(operationId, created.number);
      // Now and then somebody asks again although it was answered.
      answered = before !== undefined || Math.random() > 0.05;
    }
  }
}

async function check(billing: FragileBilling, organizationId: string, tally: Tally): Promise<void> {
  const { series } = await billing
    .client('admin')
    .invoices.verifyNumbers({ organizationId }, newCallContext(SETTLE_MS));
  const connection = await connectMongo({ uri: billing.mongoUri, database: 'billing' });
  const invoices = connection.getClient().db('billing').collection<{ _id: string; number: string }>('invoices');
  const stored = new Map((await invoices.find({ organizationId }).toArray()).map(({ _id, number }) => [_id, number]));
  await connection.close();

  const missing = [...tally.acknowledged].filter(([id, number]) => stored.get(id) !== number);
  console.log(`${tally.attempts} attempts, ${tally.acknowledged.size} acknowledged, ${stored.size} issued`);
  console.log(
    series
      .map(
        (each) =>
          `${each.name}: count ${each.count}, last ${each.last}, gapless ${each.gapless}, chain ${each.chainValid}`,
      )
      .join('\n'),
  );
  if (
    series.length !== 1 ||
    !series.every(({ gapless, chainValid, count }) => gapless && chainValid && count === stored.size)
  ) {
    throw new Error('numbers verify is not clean');
  }
  if (missing.length > 0) throw new Error(`acknowledged but not there: ${JSON.stringify(missing.slice(0, 5))}`);
  if (tally.contradictions.length > 0)
    throw new Error(`two numbers for one operation: ${tally.contradictions.join(', ')}`);
  if (tally.acknowledged.size === 0) throw new Error('nothing was issued');
}
