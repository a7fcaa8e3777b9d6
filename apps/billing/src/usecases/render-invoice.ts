import { AppError, notFoundError } from '@invoicing/errors';
import type { FrozenInvoice } from '../domain/invoice';
import type { IssuedInvoice } from '../domain/issued-invoice';
import { frozenOf } from './issue-document';
import type { Ports } from './ports';

export interface Rendered {
  readonly content: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

const NAMES = {
  nl: { invoice: 'factuur', credit_note: 'creditnota' },
  en: { invoice: 'invoice', credit_note: 'credit-note' },
} as const;

/** The document with its logo, as it was frozen. */
export async function frozenWithLogo({ logos }: Pick<Ports, 'logos'>, issued: IssuedInvoice): Promise<FrozenInvoice> {
  const { logoId } = issued.style;
  return frozenOf(issued, logoId === null ? null : await logos.find(logoId));
}

export const hasEInvoice = ({ documents }: Pick<Ports, 'documents'>, issued: IssuedInvoice): boolean =>
  documents.eInvoiceViolations(frozenOf(issued, null)).length === 0;

/** PDF or UBL of an issued document; the same bytes every time. Throws `not_found`, or `blocked` for a draft or an impossible e-invoice. */
export async function renderInvoice(
  ports: Pick<Ports, 'invoices' | 'drafts' | 'logos' | 'documents'>,
  organizationId: string,
  id: string,
  format: 'pdf' | 'ubl',
): Promise<Rendered> {
  const issued = await ports.invoices.find(organizationId, id);
  if (!issued) {
    if (await ports.drafts.find(organizationId, id)) throw new AppError('blocked', 'draft', 'a draft has no documents');
    throw notFoundError('the invoice');
  }
  const frozen = await frozenWithLogo(ports, issued);
  const name = `${NAMES[issued.language][issued.kind]}-${issued.number.replace(/[^A-Za-z0-9._-]+/g, '-')}`;
  if (format === 'pdf') {
    return {
      content: await ports.documents.renderPdf(frozen),
      contentType: 'application/pdf',
      fileName: `${name}.pdf`,
    };
  }
  const faults = ports.documents.eInvoiceViolations(frozen);
  if (faults.length > 0) {
    throw new AppError('blocked', 'no_e_invoice', faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  }
  return {
    content: Buffer.from(await ports.documents.renderUbl(frozen)),
    contentType: 'application/xml',
    fileName: `${name}.xml`,
  };
}
