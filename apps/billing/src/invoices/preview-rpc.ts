import { DraftFormat, PreviewsService } from '@invoicing/contracts/invoicing/billing/v1/previews';
import { bindService, type BoundService } from '@invoicing/rpc';
import type { Ports } from '../billing-ports';
import { renderDraft } from '../documents/render-draft';
import { previewCredit } from './credit-invoice';
import { toLine, toTotals } from './line-proto';
import { previewIssue } from './preview-issue';

/** What would be, before somebody decides. */
export const previewsService = (ports: Ports): BoundService =>
  bindService(
    PreviewsService,
    {
      renderDraft: async ({ organizationId, invoiceId, format }, call) => {
        const wanted = format === DraftFormat.SVG ? 'svg' : 'pdf';
        const { content, ...rendered } = await renderDraft(ports, organizationId, invoiceId, wanted, call);
        return { ...rendered, content: Buffer.from(content.buffer, content.byteOffset, content.length) };
      },
      previewIssue: async ({ organizationId, invoiceId }, call) => {
        const { number, draft, unnumbered, warnings } = await previewIssue(ports, organizationId, invoiceId, call);
        const { buyer, issueDate, dueDate, totals, delivery } = unnumbered;
        return {
          number,
          recipient: buyer.email,
          issueDate,
          dueDate,
          totals: toTotals(totals),
          post: delivery.post,
          warnings: [...warnings],
          revision: draft.revision,
        };
      },
      previewCredit: async ({ organizationId, invoiceId, ...credit }) => {
        const { note, number } = await previewCredit(ports, organizationId, invoiceId, credit);
        return {
          number,
          recipient: note.buyer.email,
          lines: note.lines.map(toLine),
          totals: toTotals(note.totals),
        };
      },
    },
    {
      renderDraft: { callers: ['application'], action: 'invoices.read' },
      previewIssue: { callers: ['application'], action: 'invoices.issue' },
      previewCredit: { callers: ['application'], action: 'invoices.credit' },
    },
  );
