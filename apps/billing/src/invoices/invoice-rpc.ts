import { randomUUID } from 'node:crypto';
import {
  InvoicesService,
  DocumentFormat,
  type CreateInvoiceResponse,
  type Invoice,
  type UpdateDraftRequest,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { AppError } from '@invoicing/errors';
import {
  assertMay,
  bindService,
  maskedFields,
  type BoundService,
  type Identity,
  type ServerCallContext,
} from '@invoicing/rpc';
import { CURRENCY } from '../organizations/organization';
import { pricedLines } from './price-input';
import { createInvoice } from './create-invoice';
import { creditInvoice } from './credit-invoice';
import type { Created } from './email-document';
import { issueDraft } from './issue-draft';
import { deleteDraft, DRAFT_FIELDS, updateDraft } from './update-draft';
import { getInvoice, getPublicInvoice, organizationOf, type FoundInvoice } from './get-invoice';
import { postInvoice, resendInvoice } from './send-again';
import { listInvoices } from './list-invoices';
import { getOrganization } from '../organizations/manage-organizations';
import type { Ports } from '../billing-ports';
import { recordPayment } from '../account/record-payment';
import { toRendered } from '../documents/rendered-proto';
import { hasEInvoice, renderInvoice, type RenderedFormat } from '../documents/render-invoice';
import { verifyNumbers } from '../numbering/verify-numbers';
import { fromPayment, toDraft, toIssued } from './invoice-proto';
import { fromListRequest, toListResponse } from './list-proto';
import { fromLineInput, toLine, toTotals } from './line-proto';
import { judgeOffer } from './treatment-warnings';

const RENDERED: Partial<Record<DocumentFormat, RenderedFormat>> = {
  [DocumentFormat.UBL]: 'ubl',
  [DocumentFormat.ORIGINAL_UBL]: 'original_ubl',
  [DocumentFormat.CII]: 'cii',
  [DocumentFormat.ORIGINAL_CII]: 'original_cii',
  [DocumentFormat.ORIGINAL_PDF]: 'original_pdf',
};

// Who may say that a document was paid before it was made.
const CASHIERS: readonly Identity[] = ['checkout', 'admin'];

const ACCESS: Parameters<typeof bindService<typeof InvoicesService>>[2] = {
  priceLines: { callers: ['checkout', 'application', 'admin'], action: 'invoices.write' },
  createInvoice: { callers: ['gateway', 'checkout', 'application', 'admin'], action: 'invoices.write', dryRun: true },
  listInvoices: { callers: ['gateway', 'application', 'admin'], action: 'invoices.read' },
  getInvoice: { callers: ['notification', 'application', 'admin'], action: 'invoices.read' },
  getPublicInvoice: { callers: ['checkout'] },
  updateDraft: { callers: ['application', 'admin'], action: 'invoices.write' },
  deleteDraft: { callers: ['application', 'admin'], action: 'invoices.write' },
  issueInvoice: { callers: ['application', 'admin'], action: 'invoices.issue' },
  creditInvoice: { callers: ['application', 'admin'], action: 'invoices.credit' },
  resendInvoice: { callers: ['application', 'admin'], action: 'invoices.issue' },
  postInvoice: { callers: ['application', 'admin'], action: 'invoices.issue' },
  recordPayment: { callers: ['checkout', 'application', 'admin'], action: 'payments.record' },
  renderInvoice: { callers: ['notification', 'application', 'admin'], action: 'invoices.read' },
  verifyNumbers: { callers: ['admin'] },
};

async function invoiceMessage(ports: Ports, found: FoundInvoice): Promise<Invoice> {
  if ('issued' in found) return toIssued(found, hasEInvoice(ports, found.issued));
  return toDraft(found.draft, await getOrganization(ports, found.draft.organizationId), ports.publicUrl);
}

/** Invoices and drafts: priced, made, changed, issued, credited, paid and rendered. */
export function invoicesService(ports: Ports): BoundService {
  const toInvoice = (found: FoundInvoice): Promise<Invoice> => invoiceMessage(ports, found);
  // An operator may leave the organisation out; everybody else acts for the one they name.
  const owner = async (organizationId: string, invoiceId: string, { caller }: ServerCallContext): Promise<string> =>
    organizationId === '' && caller === 'admin' ? organizationOf(ports, invoiceId) : organizationId;
  return bindService(
    InvoicesService,
    {
      priceLines: async ({ organizationId, lines, pricesIncludeVat = false, buyer }, call) => {
        const priced = await pricedLines(ports, organizationId, lines.map(fromLineInput), pricesIncludeVat, call);
        const organization = buyer && (await getOrganization(ports, organizationId));
        const warnings = organization ? judgeOffer(organization, buyer, priced.lines) : [];
        return { lines: priced.lines.map(toLine), totals: toTotals(priced.totals), currency: CURRENCY, warnings };
      },
      createInvoice: async ({ organizationId, lines, prepayment, ...request }, call) => {
        if (prepayment && !CASHIERS.includes(call.caller)) {
          throw new AppError('forbidden', 'forbidden', `${call.caller} must not say what is paid`);
        }
        if (request.send) assertMay(call.principal, 'invoices.issue');
        const paid = prepayment && fromPayment(prepayment, '/prepayment');
        const input = { ...request, lines: lines.map(fromLineInput), prepayment: paid };
        return createdMessage(createInvoice(ports, organizationId, input, call));
      },
      listInvoices: async ({ organizationId, ...wanted }, call) =>
        toListResponse(await listInvoices(ports, organizationId, fromListRequest(wanted), call)),
      getInvoice: async ({ organizationId, invoiceId }, call) =>
        toInvoice(await getInvoice(ports, await owner(organizationId, invoiceId, call), invoiceId)),
      getPublicInvoice: async ({ publicToken }) => toInvoice(await getPublicInvoice(ports, publicToken)),
      updateDraft: async ({ organizationId, invoiceId, revision, ...given }, call) => {
        const update = { changes: draftChanges(given), revision };
        const owned = await owner(organizationId, invoiceId, call);
        const { draft, warnings } = await updateDraft(ports, owned, invoiceId, update, call);
        return { ...(await toInvoice({ draft })), warnings };
      },
      deleteDraft: async ({ organizationId, invoiceId, revision }, call) => {
        await deleteDraft(ports, await owner(organizationId, invoiceId, call), invoiceId, revision, call);
        return {};
      },
      issueInvoice: async ({ organizationId, invoiceId, skipEmail, revision }, call) => {
        const wishes = { email: !skipEmail, revision };
        return createdMessage(issueDraft(ports, await owner(organizationId, invoiceId, call), invoiceId, wishes, call));
      },
      creditInvoice: async ({ organizationId, invoiceId, ...credit }, call) =>
        createdMessage(creditInvoice(ports, await owner(organizationId, invoiceId, call), invoiceId, credit, call)),
      resendInvoice: async ({ organizationId, invoiceId, to }, call) =>
        resendInvoice(ports, await owner(organizationId, invoiceId, call), invoiceId, to, call),
      postInvoice: async ({ organizationId, invoiceId }, call) =>
        postInvoice(ports, await owner(organizationId, invoiceId, call), invoiceId, call),
      recordPayment: async ({ organizationId, invoiceId, payment, checkoutId }, call) => {
        const { id: paymentId, ...paid } = fromPayment(payment, '/payment');
        const operation = { id: call.operationId ?? randomUUID(), by: call.by };
        const input = { ...paid, paymentId, checkoutId };
        const recorded = await recordPayment(ports, organizationId, invoiceId, input, operation, { exact: true });
        return toInvoice({ ...recorded, test: recorded.issued.test === true });
      },
      renderInvoice: async ({ organizationId, invoiceId, format }, call) => {
        const owned = await owner(organizationId, invoiceId, call);
        return toRendered(await renderInvoice(ports, owned, invoiceId, RENDERED[format] ?? 'pdf'));
      },
      verifyNumbers: async ({ organizationId }) => ({ series: await verifyNumbers(ports, organizationId) }),
    },
    ACCESS,
  );
}

async function createdMessage(creating: Promise<Created>): Promise<CreateInvoiceResponse> {
  const { warnings, dryRun, ...created } = await creating;
  const tried = dryRun && { ...dryRun, totals: toTotals(dryRun.totals) };
  return { ...created, warnings: [...warnings], dryRun: tried };
}

/** Without a mask what is there changes; nothing can be cleared. */
function draftChanges({ updateMask, lines, ...given }: Omit<UpdateDraftRequest, 'organizationId' | 'invoiceId'>) {
  const fields = { ...given, ...(lines.length > 0 && { lines: lines.map(fromLineInput) }) };
  const mask = updateMask ?? DRAFT_FIELDS.filter((field) => fields[field] !== undefined);
  return mask.length > 0 ? maskedFields(fields, mask, DRAFT_FIELDS) : {};
}
