import { randomUUID } from 'node:crypto';
import type { HistoryEntry } from '@invoicing/contracts/invoicing/history/v1/history';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { testCall } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from './testing/billing-harness';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

const operation = () => testCall({ operationId: randomUUID() });

async function newOrganization(): Promise<string> {
  const details = { name: 'Bakkerij De Zon', btwId: 'NL001234567B01' };
  const created = { details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED };
  return (await admin.organizations.createOrganization(created, operation())).id;
}

test('what is issued, credited and paid is in the one list, with who did it, page by page', async () => {
  const organizationId = await newOrganization();
  const customerId = harness.peers.addCustomer(organizationId, {});
  const lines = [{ unitPriceCents: 1_000, description: 'x', vatTreatment: VatTreatment.ZERO }];
  const asked = { organizationId, customerId, lines, send: false, post: false, requireEInvoice: false };
  const { id: invoiceId } = await admin.invoices.createInvoice(asked, operation());
  await admin.invoices.issueInvoice({ organizationId, invoiceId, skipEmail: true }, operation());
  const paid = { organizationId, invoiceId, provider: 'bank', method: '', providerId: '', reference: '', note: '' };
  await admin.accounts.recordPayment({ ...paid, amountCents: 1_500 }, operation());
  const mistake = (await admin.accounts.recordPayment({ ...paid, amountCents: 7 }, operation())).entries[0]!.id;
  await admin.accounts.reverseEntry({ organizationId, entryId: mistake, reason: 'typo' }, operation());
  await admin.invoices.creditInvoice({ organizationId, invoiceId, lines: [], reason: '' }, operation());

  const page = (limit: number, cursor?: string) =>
    admin.history.listHistory({ organizationId, limit, cursor }, testCall());
  const whole = (await page(100)).entries;
  expect(whole.map(({ action, by, subject }) => [action, by?.kind, subject?.label])).toEqual([
    ['invoice.credited', 'operator', expect.stringMatching(/^C.*0001$/)],
    ['entry.reversed', 'operator', expect.stringMatching(/0001$/)],
    ['payment.recorded', 'operator', expect.stringMatching(/0001$/)],
    ['payment.recorded', 'operator', expect.stringMatching(/0001$/)],
    ['invoice.issued', 'operator', expect.stringMatching(/0001$/)],
    ['draft.created', 'operator', expect.stringMatching(/^CONCEPT-/)],
    ['organization.created', 'operator', 'Bakkerij De Zon'],
  ]);
  for (const limit of [1, 2, 3]) {
    const seen: HistoryEntry[] = [];
    let cursor: string | undefined;
    do {
      const answer = await page(limit, cursor);
      seen.push(...answer.entries);
      cursor = answer.cursor;
    } while (cursor !== undefined);
    expect([limit, seen]).toEqual([limit, whole]);
  }
  await expect(page(5, 'x')).rejects.toMatchObject({ code: 'validation' });
  expect((await admin.history.listHistory({ organizationId: randomUUID(), limit: 0 }, testCall())).entries).toEqual([]);
});
