import {
  InvoiceKind,
  InvoiceStatus,
  type Invoice,
  type Payment,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { validationError } from '@invoicing/errors';
import { addDays, businessDate, PAYMENT_DAYS } from './business-date';
import type { Draft } from './draft';
import { publicPageOf, sellerOf } from './freeze-invoice';
import type { FoundIssued } from './get-invoice';
import type { Prepayment } from './invoice';
import { isPaid, settledBy } from '../account/account';
import type { PaymentEntry } from '../account/entry';
import { draftNumber } from '../numbering/number-format';
import { CURRENCY, DEFAULT_ACCENT_COLOR, type Organization } from '../organizations/organization';
import { toLine, toTotals } from './line-proto';

const KIND = { invoice: InvoiceKind.INVOICE, credit_note: InvoiceKind.CREDIT_NOTE } as const;

/** A payment as a caller reports it. Throws `validation` when it says no time. */
export function fromPayment<T extends Payment>(payment: T | undefined, path: string): T & { paidAt: Date } {
  if (!payment?.paidAt) throw validationError([{ path, message: 'is required, with its time' }]);
  return { ...payment, paidAt: payment.paidAt };
}

const toPrepayment = ({ date: _, ...prepayment }: Prepayment): Payment => prepayment;

const toPayment = ({ provider, method, paymentId: id, paidAt, amountCents }: PaymentEntry): Payment => ({
  provider,
  method,
  id,
  paidAt,
  amountCents,
});

/** An issued document on the wire. */
export function toIssued(found: FoundIssued, hasEInvoice: boolean): Invoice {
  const { issued, account, test, creditedOpenCents } = found;
  const payment = settledBy(account);
  const { _id: id, organizationId, profileId, customerId, number, publicToken, currency, language } = issued;
  return {
    id,
    warnings: [],
    organizationId,
    profileId,
    customerId,
    kind: KIND[issued.kind],
    status: isPaid(account.now) ? InvoiceStatus.PAID : InvoiceStatus.SENT,
    number,
    publicToken,
    issueDate: issued.issueDate,
    dueDate: issued.dueDate,
    currency,
    language,
    seller: issued.seller,
    buyer: issued.buyer,
    lines: issued.lines.map(toLine),
    totals: toTotals(issued.totals),
    creditedInvoiceId: issued.credited?.invoiceId,
    creditedNumber: issued.credited?.number,
    payment: payment ? toPayment(payment) : undefined,
    createdAt: issued.createdAt,
    issuedAt: issued.issuedAt,
    hasEInvoice,
    checkoutId: issued.checkoutId ?? undefined,
    publicUrl: issued.publicUrl,
    accentColor: issued.style.accentColor,
    prepayment: issued.prepayment && toPrepayment(issued.prepayment),
    test,
    openCents: account.now.openCents,
    pricesIncludeVat: issued.pricesIncludeVat,
    reference: issued.reference,
    note: issued.note,
    supplyDate: issued.supplyDate,
    period: issued.period,
    issueDateOpen: false,
    dueDateOpen: false,
    post: issued.delivery.post,
    reason: issued.reason || undefined,
    creditedOpenCents,
  };
}

/** A draft on the wire: dates that it leaves open are shown as if it were issued on the day it was made. */
export function toDraft(draft: Draft, organization: Organization, publicUrl: string): Invoice {
  const { _id: id, organizationId, profileId, customerId, publicToken, createdAt } = draft;
  const issueDate = draft.issueDate ?? businessDate(createdAt, organization.details.timezone);
  return {
    id,
    warnings: [],
    organizationId,
    profileId,
    customerId,
    kind: InvoiceKind.INVOICE,
    status: InvoiceStatus.DRAFT,
    revision: draft.revision,
    number: draftNumber(id),
    publicToken,
    issueDate,
    dueDate: draft.dueDate ?? addDays(issueDate, PAYMENT_DAYS),
    currency: CURRENCY,
    language: draft.language ?? '',
    seller: sellerOf(organization),
    buyer: undefined,
    lines: draft.lines.map(toLine),
    totals: toTotals(draft.totals),
    payment: undefined,
    createdAt,
    issuedAt: undefined,
    hasEInvoice: false,
    checkoutId: draft.checkoutId ?? undefined,
    publicUrl: publicPageOf(publicUrl, publicToken),
    test: organization.mode === 'test',
    accentColor: organization.profiles.find((each) => each.id === profileId)?.accentColor ?? DEFAULT_ACCENT_COLOR,
    openCents: 0,
    pricesIncludeVat: draft.pricesIncludeVat || undefined,
    reference: draft.reference ?? undefined,
    note: draft.note ?? undefined,
    supplyDate: draft.supplyDate ?? undefined,
    period: draft.period ?? undefined,
    issueDateOpen: draft.issueDate === null,
    dueDateOpen: draft.dueDate === null,
    post: draft.post,
  };
}
