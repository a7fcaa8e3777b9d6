import { AppError, notFoundError } from '@invoicing/errors';
import { readAccount } from '../account/account';
import { businessDate } from '../invoices/business-date';
import type { FrozenInvoice } from '../invoices/invoice';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { DEFAULT_TIMEZONE } from '../organizations/organization';
import { frozenOf } from '../invoices/issue-document';
import type { Ports } from '../billing-ports';
import { eInvoiceFile } from './e-invoice-file';
import { invoiceSheet, type InvoiceToShow } from './sheet/invoice-sheet';

export interface Rendered {
  readonly content: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

/** The document with its logo, as it was frozen. */
async function frozenWithLogo({ logos }: Pick<Ports, 'logos'>, issued: IssuedInvoice): Promise<FrozenInvoice> {
  const { logoId } = issued.style;
  return frozenOf(issued, logoId === null ? null : await logos.find(logoId));
}

/** Judged once of a document that is kept: it follows from what was sealed. */
export function hasEInvoice({ documents }: Pick<Ports, 'documents'>, issued: IssuedInvoice): boolean {
  const known = judged.get(issued);
  if (known !== undefined) return known;
  const has = documents.eInvoiceViolations(frozenOf(issued, null)).length === 0;
  judged.set(issued, has);
  return has;
}

const judged = new WeakMap<IssuedInvoice, boolean>();

/** What the public page of a document shows; undefined when the token is nobody's. */
export async function invoicePageSource(
  ports: Pick<Ports, 'invoices' | 'accounts' | 'organizations' | 'logos' | 'documents' | 'now'>,
  publicToken: string,
) {
  const issued = await ports.invoices.findByToken(publicToken);
  if (!issued) return undefined;
  return { ...(await shownInvoice(ports, issued)), hasEInvoice: hasEInvoice(ports, issued) };
}

/** What is known of a document now, beside what was frozen. */
async function knownOf(
  ports: Pick<Ports, 'accounts' | 'invoices' | 'organizations' | 'now'>,
  issued: IssuedInvoice,
): Promise<Omit<InvoiceToShow, 'invoice'>> {
  const [account, organization] = await Promise.all([
    readAccount(ports, issued),
    ports.organizations.find(issued.organizationId),
  ]);
  // A document from before the mark was frozen is marked all the same.
  const test = issued.test === true || organization?.mode === 'test';
  const timezone = organization?.details.timezone ?? DEFAULT_TIMEZONE;
  return { account, today: businessDate(ports.now(issued.organizationId), timezone), test };
}

/** An issued document with its logo, and what is known of it now. */
export async function shownInvoice(
  ports: Pick<Ports, 'invoices' | 'accounts' | 'organizations' | 'logos' | 'now'>,
  issued: IssuedInvoice,
): Promise<InvoiceToShow> {
  const [invoice, known] = await Promise.all([frozenWithLogo(ports, issued), knownOf(ports, issued)]);
  return { invoice, ...known };
}

/** What an issued document is rendered as; an original with the same bytes every time, else a copy that says what was paid since. */
export type RenderedFormat = 'pdf' | 'original_pdf' | 'ubl' | 'original_ubl' | 'cii' | 'original_cii';

/**
 * PDF or e-invoice of an issued document. Throws `not_found`, or `blocked` for a draft or an impossible e-invoice.
 */
export async function renderInvoice(
  ports: Pick<
    Ports,
    'invoices' | 'drafts' | 'accounts' | 'organizations' | 'logos' | 'documents' | 'sealedSheets' | 'now'
  >,
  organizationId: string,
  id: string,
  format: RenderedFormat,
): Promise<Rendered> {
  const issued = await ports.invoices.find(organizationId, id);
  if (!issued) {
    if (await ports.drafts.find(organizationId, id)) throw new AppError('blocked', 'draft', 'a draft has no documents');
    throw notFoundError('the invoice');
  }
  const shown = await shownInvoice(ports, issued);
  const frozen = shown.invoice;
  if (format === 'pdf' || format === 'original_pdf') {
    return {
      content: await invoiceSheet(ports, shown, { format: 'pdf', queue: 'mail', original: format === 'original_pdf' }),
      contentType: 'application/pdf',
      fileName: ports.documents.fileName(frozen, 'pdf'),
    };
  }
  const syntax = format.endsWith('cii') ? 'cii' : 'ubl';
  const content = await eInvoiceFile(ports, shown, { syntax, queue: 'mail', original: format.startsWith('original') });
  if (!content) {
    const faults = ports.documents.eInvoiceViolations(frozen);
    throw new AppError('blocked', 'no_e_invoice', faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  }
  return {
    content,
    contentType: 'application/xml',
    fileName: ports.documents.fileName(frozen, 'xml'),
  };
}
