import { AppError, notFoundError } from '@invoicing/errors';
import { readAccount, type Account } from '../account/account';
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

/** An issued document with all that is known of it. */
interface KnownInvoice extends InvoiceToShow {
  readonly account: Account;
  readonly test: boolean;
}

/** What is known of a document now, beside what was frozen. */
async function knownOf(
  ports: Pick<Ports, 'accounts' | 'invoices' | 'organizations' | 'now'>,
  issued: IssuedInvoice,
): Promise<Omit<KnownInvoice, 'invoice'>> {
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
): Promise<KnownInvoice> {
  const [invoice, known] = await Promise.all([frozenWithLogo(ports, issued), knownOf(ports, issued)]);
  return { invoice, ...known };
}

/** What an issued document is rendered as; an original with the same bytes every time, else a copy that says what was paid since. */
export type RenderedFormat = 'pdf' | 'original_pdf' | 'ubl' | 'original_ubl' | 'cii' | 'original_cii';

type RenderPorts = Pick<
  Ports,
  'invoices' | 'drafts' | 'accounts' | 'organizations' | 'logos' | 'documents' | 'sealedSheets' | 'now'
>;

/** An issued document that files can be made of. Throws `not_found`, or `blocked` for a draft. */
export async function documentToRender(
  ports: Pick<RenderPorts, 'invoices' | 'drafts'>,
  organizationId: string,
  id: string,
): Promise<IssuedInvoice> {
  const issued = await ports.invoices.find(organizationId, id);
  if (issued) return issued;
  if (await ports.drafts.find(organizationId, id)) throw new AppError('blocked', 'draft', 'a draft has no documents');
  throw notFoundError('the invoice');
}

/**
 * PDF or e-invoice of an issued document. Throws `not_found`, or `blocked` for a draft or an impossible e-invoice.
 */
export async function renderInvoice(
  ports: RenderPorts,
  organizationId: string,
  id: string,
  format: RenderedFormat,
): Promise<Rendered> {
  const shown = await shownInvoice(ports, await documentToRender(ports, organizationId, id));
  const original = format.startsWith('original');
  if (format === 'pdf' || format === 'original_pdf') return renderPdf(ports, shown, original);
  const syntax = format.endsWith('cii') ? 'cii' : 'ubl';
  const content = await eInvoiceFile(ports, shown, { syntax, queue: 'mail', original });
  if (content) return xmlFile(ports, shown, content);
  const faults = ports.documents.eInvoiceViolations(shown.invoice);
  throw new AppError('blocked', 'no_e_invoice', faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
}

type FilePorts = Pick<Ports, 'documents' | 'sealedSheets'>;

async function renderPdf(ports: FilePorts, shown: InvoiceToShow, original = false): Promise<Rendered> {
  return {
    content: await invoiceSheet(ports, shown, { format: 'pdf', queue: 'mail', original }),
    contentType: 'application/pdf',
    fileName: ports.documents.fileName(shown.invoice, 'pdf'),
  };
}

const xmlFile = (
  { documents }: Pick<Ports, 'documents'>,
  { invoice }: InvoiceToShow,
  content: Uint8Array,
): Rendered => ({
  content,
  contentType: 'application/xml',
  fileName: documents.fileName(invoice, 'xml'),
});

/** The files of a message: the PDF that its reader should have, and where it is wanted the UBL that goes with it. */
export async function renderMailFiles(
  ports: FilePorts,
  shown: InvoiceToShow,
  wanted: { readonly ubl: boolean },
): Promise<{ readonly pdf: Rendered; readonly ubl: Rendered | undefined }> {
  const pdf = await renderPdf(ports, shown);
  if (!wanted.ubl) return { pdf, ubl: undefined };
  const ubl = await eInvoiceFile(ports, shown, { syntax: 'ubl', queue: 'mail', sheet: pdf.content });
  return { pdf, ubl: ubl && xmlFile(ports, shown, ubl) };
}
