import { notFoundError } from '@invoicing/errors';
import { isSealIntact, type IssuedInvoice } from '../invoices/issued-invoice';
import type { Ports } from '../invoices/invoice-ports';

export interface SeriesReport {
  readonly name: string;
  readonly organizationId: string;
  readonly count: number;
  /** As printed. */
  readonly last: string;
  readonly gapless: boolean;
  readonly chainValid: boolean;
}

/** Re-derives count, contiguity and hash chain of every series from the store, a document at a time. */
export async function verifyNumbers(
  { organizations, invoices }: Pick<Ports, 'organizations' | 'invoices'>,
  organizationId: string | undefined,
): Promise<SeriesReport[]> {
  const asked = organizationId === undefined ? await organizations.list() : [await organizations.find(organizationId)];
  const reports = new Map<string, SeriesReport & { hash: string }>();
  for (const organization of asked) {
    if (!organization) throw notFoundError('the organisation');
    for await (const invoice of invoices.inSeriesOrder(organization._id)) {
      reports.set(invoice.series, follow(reports.get(invoice.series), invoice));
    }
  }
  return [...reports.values()].map(({ hash: _, ...report }) => report);
}

function follow(
  before: (SeriesReport & { hash: string }) | undefined,
  invoice: IssuedInvoice,
): SeriesReport & { hash: string } {
  const count = (before?.count ?? 0) + 1;
  const linked = invoice.previousHash === (before?.hash ?? '') && isSealIntact(invoice);
  return {
    name: invoice.series,
    organizationId: invoice.organizationId,
    count,
    last: invoice.number,
    gapless: (before?.gapless ?? true) && invoice.seq === count,
    chainValid: (before?.chainValid ?? true) && linked,
    hash: invoice.hash,
  };
}
