import { AppError } from '@invoicing/errors';
import type { Totals } from '../invoices/invoice';
import { frozenOf } from '../invoices/issue-document';
import type { UnnumberedInvoice } from '../invoices/issued-invoice';
import type { Ports } from '../billing-ports';
import type { Rendered } from './render-invoice';

/** What a dry run shows of the document that it did not make. */
export interface DryRunDocuments {
  readonly totals: Totals;
  /** Empty when it cannot be issued as it is, or is too long for an address. */
  readonly pdfUrl: string;
  /** Empty when it has none. */
  readonly eInvoiceUrl: string;
  /** Absent without addresses. */
  readonly expiresAt?: Date;
}

/** Addresses of the document with the number that it would get; of a draft (no number) the PDF alone. */
export function dryRunDocuments(
  { dryRunLinks, documents, publicUrl }: Pick<Ports, 'dryRunLinks' | 'documents' | 'publicUrl'>,
  unnumbered: UnnumberedInvoice,
  number: string,
): DryRunDocuments {
  const invoice = { ...unnumbered, number };
  const { token, expiresAt } = dryRunLinks.seal(invoice);
  if (token === undefined) return { totals: invoice.totals, pdfUrl: '', eInvoiceUrl: '' };
  const url = (file: string): string => `${publicUrl}/p/dry-run/${token}/${file}`;
  const hasEInvoice = number !== '' && documents.eInvoiceViolations(frozenOf(invoice, null)).length === 0;
  return {
    totals: invoice.totals,
    pdfUrl: url('invoice.pdf'),
    eInvoiceUrl: hasEInvoice ? url('invoice.xml') : '',
    expiresAt,
  };
}

/** The same of a draft, which may be such that it cannot be issued: it then has sums and no address. */
export function dryRunDraft(
  ports: Pick<Ports, 'dryRunLinks' | 'documents' | 'publicUrl'>,
  totals: Totals,
  prepare: () => UnnumberedInvoice,
): DryRunDocuments {
  try {
    return dryRunDocuments(ports, prepare(), '');
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
    return { totals, pdfUrl: '', eInvoiceUrl: '' };
  }
}

/** The document behind an address of a dry run, its PDF marked as a draft; undefined when it is over or nobody's. */
export async function renderDryRun(
  { dryRunLinks, documents, logos }: Pick<Ports, 'dryRunLinks' | 'documents' | 'logos'>,
  token: string,
  file: 'pdf' | 'xml',
): Promise<Rendered | undefined> {
  const sealed = dryRunLinks.open(token);
  if (!sealed) return undefined;
  const { logoId } = sealed.style;
  const invoice = frozenOf(sealed, logoId === null ? null : await logos.find(logoId));
  const fileName = documents.fileName({ ...invoice, number: invoice.number || 'dry-run' }, file);
  if (file === 'pdf') {
    const source = { invoice, isDraft: true, isTest: invoice.test === true };
    const content = await documents.renderSheet(source, 'pdf', 'page');
    return { content, contentType: 'application/pdf', fileName };
  }
  if (invoice.number === '' || documents.eInvoiceViolations(invoice).length > 0) return undefined;
  return { content: Buffer.from(documents.renderEInvoice(invoice, 'ubl')), contentType: 'application/xml', fileName };
}
