import { validationError } from '@invoicing/errors';
import { frozenOf } from '../invoices/issue-document';
import { prepareDraft } from '../invoices/issue-draft';
import type { Call } from '../invoices/invoice-ports';
import { draftNumber } from '../numbering/number-format';
import type { Ports } from '../billing-ports';
import type { Rendered } from './render-invoice';
import { hasPicture } from './sheet/invoice-sheet';
import type { SheetJob } from './sheet/typst-process';

/**
 * The document that a draft would become now, without a number, marked as a draft. Throws `not_found`, `conflict` (issued already) or
 * `validation`: it cannot be issued as it is, or is too long for a picture.
 */
export async function renderDraft(
  ports: Pick<Ports, 'organizations' | 'drafts' | 'invoices' | 'catalog' | 'documents' | 'logos' | 'now' | 'publicUrl'>,
  organizationId: string,
  id: string,
  format: SheetJob['format'],
  call: Call,
): Promise<Rendered> {
  const { organization, unnumbered } = await prepareDraft(ports, organizationId, id, { email: false }, call);
  const { logoId } = unnumbered.style;
  const logo = logoId === null ? null : await ports.logos.find(logoId);
  const invoice = frozenOf({ ...unnumbered, number: '' }, logo);
  if (format === 'svg' && !hasPicture(invoice))
    throw validationError([{ path: '', message: 'is too long for a picture: ask for its PDF' }]);
  return {
    content: await ports.documents.renderSheet(
      { invoice, isDraft: true, isTest: organization.mode === 'test' },
      format,
      'page',
    ),
    contentType: format === 'svg' ? 'image/svg+xml' : 'application/pdf',
    fileName: ports.documents.fileName({ ...invoice, number: draftNumber(id) }, 'pdf').replace(/pdf$/, format),
  };
}
