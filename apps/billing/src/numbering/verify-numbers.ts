import { notFoundError } from '@invoicing/errors';
import { isSealIntact, type IssuedInvoice } from '../invoices/issued-invoice';
import type { SeriesKeys } from './series-keys';
import type { Ports } from '../billing-ports';

export interface SeriesReport {
  readonly name: string;
  readonly organizationId: string;
  readonly count: number;
  /** As printed. */
  readonly last: string;
  readonly gapless: boolean;
  readonly chainValid: boolean;
  /** No other document of the organisation, in whatever series, shows one of its numbers. */
  readonly numbersUnique: boolean;
  /** How many documents are dated before their predecessor. */
  readonly datesOutOfOrder: number;
  /** How many documents carry a genuine signature. */
  readonly signed: number;
  /** No signature is wrong or of an unknown key, and nothing after a signed document is unsigned. */
  readonly signaturesValid: boolean;
}

type Followed = SeriesReport & { readonly hash: string; readonly issueDate: string };

/** Re-derives count, contiguity, hash chain and uniqueness of the numbers of every series from the store, a document at a time. */
export async function verifyNumbers(
  { organizations, invoices, seriesKeys }: Pick<Ports, 'organizations' | 'invoices' | 'seriesKeys'>,
  organizationId: string | undefined,
): Promise<SeriesReport[]> {
  const asked = organizationId === undefined ? await organizations.list() : [await organizations.find(organizationId)];
  const reports: SeriesReport[] = [];
  for (const organization of asked) {
    if (!organization) throw notFoundError('the organisation');
    reports.push(...(await verifyOrganization(invoices, seriesKeys, organization._id)));
  }
  return reports;
}

async function verifyOrganization(
  invoices: Pick<Ports['invoices'], 'inSeriesOrder'>,
  keys: SeriesKeys,
  organizationId: string,
): Promise<SeriesReport[]> {
  const reports = new Map<string, Followed>();
  // Which series shows a number.
  const shown = new Map<string, string>();
  const repeated = new Set<string>();
  for await (const invoice of invoices.inSeriesOrder(organizationId)) {
    const { series, number } = invoice;
    reports.set(series, follow(reports.get(series), invoice, keys));
    const other = shown.get(number);
    if (other === undefined) shown.set(number, series);
    else repeated.add(other).add(series);
  }
  return [...reports.values()].map(({ hash: _, issueDate: __, ...report }) => ({
    ...report,
    numbersUnique: !repeated.has(report.name),
  }));
}

function follow(before: Followed | undefined, invoice: IssuedInvoice, keys: SeriesKeys): Followed {
  const count = (before?.count ?? 0) + 1;
  const linked = invoice.previousHash === (before?.hash ?? '') && isSealIntact(invoice);
  const isSigned = invoice.signature !== undefined && keys.isGenuine(invoice, invoice.signature);
  const mayBeUnsigned = invoice.signature === undefined && (before?.signed ?? 0) === 0;
  const isEarlier = before !== undefined && invoice.issueDate < before.issueDate;
  return {
    name: invoice.series,
    organizationId: invoice.organizationId,
    count,
    last: invoice.number,
    gapless: (before?.gapless ?? true) && invoice.seq === count,
    chainValid: (before?.chainValid ?? true) && linked,
    numbersUnique: true,
    datesOutOfOrder: (before?.datesOutOfOrder ?? 0) + (isEarlier ? 1 : 0),
    signed: (before?.signed ?? 0) + (isSigned ? 1 : 0),
    signaturesValid: (before?.signaturesValid ?? true) && (isSigned || mayBeUnsigned),
    hash: invoice.hash,
    issueDate: invoice.issueDate,
  };
}
