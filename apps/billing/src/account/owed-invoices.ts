import type { OwedSummary } from '../invoices/invoice-ports';
import type { AccountPorts } from '../billing-ports';
import { factsOf } from './account';
import { openAmount } from './open-amount';

const BATCH = 500;

/** An issued document, and what is open on it now; nothing is on a credit note. */
export interface OwedInvoice {
  readonly invoice: OwedSummary;
  readonly openCents: number;
}

/** Everything that an organisation issued with what is open on each, a batch at a time: no more than one is held. */
export async function* owedInvoices(
  ports: Pick<AccountPorts, 'accounts' | 'invoices'>,
  organizationId: string,
  isWanted: (invoice: OwedSummary) => boolean = () => true,
): AsyncIterable<OwedInvoice> {
  let batch: OwedSummary[] = [];
  for await (const invoice of ports.invoices.owed(organizationId)) {
    if (!isWanted(invoice)) continue;
    batch.push(invoice);
    if (batch.length < BATCH) continue;
    yield* await openOf(ports, organizationId, batch);
    batch = [];
  }
  yield* await openOf(ports, organizationId, batch);
}

async function openOf(
  { accounts, invoices }: Pick<AccountPorts, 'accounts' | 'invoices'>,
  organizationId: string,
  batch: readonly OwedSummary[],
): Promise<OwedInvoice[]> {
  const ids = batch.filter(({ kind }) => kind === 'invoice').map(({ _id }) => _id);
  const entries = await accounts.factsAmong(organizationId, ids);
  const credits = ids.length > 0 ? await invoices.creditsOf(organizationId, ids) : [];
  const creditsOf = new Map<string, { noteId: string; amountCents: number }[]>();
  for (const credit of credits) creditsOf.set(credit.invoiceId, [...(creditsOf.get(credit.invoiceId) ?? []), credit]);
  return batch.map((invoice) => ({
    invoice,
    openCents: openAmount(factsOf(invoice, creditsOf.get(invoice._id) ?? [], entries.get(invoice._id) ?? [])).openCents,
  }));
}
