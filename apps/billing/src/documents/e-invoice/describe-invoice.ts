import { endpointOf, legalIdOf, vatIdOf } from '@invoicing/rules';
import { amountDueCents, type FrozenInvoice, type Line, type Party, type VatTreatment } from '../../invoices/invoice';
import { vatRateBps } from '../../invoices/totals';
import { paidSentence } from '../wording/payment-method';
import { creditSentence } from '../wording/credit-sentence';
import { treatmentReason } from '../wording/vat-wording';
import { WORDING } from '../wording/wording';
import type { EAddress, ECategory, EInvoice, ELine, EParty, EPayment } from './e-invoice';
import { lineAmounts } from './line-amounts';
import { isGerman, SPECIFICATION_ID, type Specification, specificationOf } from './specification';
import { unitCode } from './unit-code';
import { vatCategoryOf } from './vat-category';

// What Peppol BIS has for a reference that there is none of (PEPPOL-EN16931-R003 wants one).
const NO_REFERENCE = 'NA';

/** What of an account a copy of an e-invoice says: what is still to be paid, in cents; below 0 when too much was paid. */
export interface CopiedAccount {
  readonly openCents: number;
}

/**
 * What the e-invoice of a document says, by the rules of EN 16931 and of one specification on top of it. Valid when
 * `eInvoiceViolations` has nothing to say. Without an account it is the document as it was issued.
 */
export function describeInvoice(
  invoice: FrozenInvoice,
  {
    account,
    specification = specificationOf(invoice),
  }: { readonly account?: CopiedAccount | undefined; readonly specification?: Specification } = {},
): EInvoice {
  const { credited, totals, reference = '', period } = invoice;
  const isCreditNote = invoice.kind === 'credit_note';
  const isIntraCommunity = totals.groups.some(({ vatTreatment }) => vatTreatment === 'intra_community');
  // A credit note has no account.
  const openCents = account && !isCreditNote ? Math.max(0, account.openCents) : amountDueCents(invoice);
  const payment = paymentOf(invoice, specification, openCents);
  return {
    specification: SPECIFICATION_ID[specification],
    number: invoice.number,
    isCreditNote,
    issueDate: invoice.issueDate,
    dueDate: isCreditNote || isSettled(invoice, openCents) ? '' : invoice.dueDate,
    note: (isCreditNote ? invoice.reason : invoice.note) ?? '',
    currency: invoice.currency,
    buyerReference: reference || NO_REFERENCE,
    orderReference: reference,
    // NLCIUS advises against the date (BR-NL-24).
    ...(credited && {
      preceding: { number: credited.number, issueDate: specification === 'nlcius' ? '' : credited.issueDate },
    }),
    seller: partyOf(invoice.seller, invoice, invoice.style.profileName),
    buyer: partyOf(invoice.buyer, invoice, ''),
    deliveryDate: deliveryDateOf(invoice, specification),
    ...(isIntraCommunity && { deliverTo: addressOf(invoice.buyer) }),
    ...(period && { period }),
    ...(payment && { payment }),
    paymentTerms: termsOf(invoice, openCents),
    totals: {
      netCents: totals.exclCents,
      vatCents: totals.vatCents,
      grossCents: totals.inclCents,
      paidCents: totals.inclCents - openCents,
      payableCents: openCents,
    },
    vat: totals.groups.map(({ vatTreatment, baseCents, vatCents }) => ({
      ...categoryOf(vatTreatment, invoice),
      baseCents,
      vatCents,
      // NLCIUS advises against the code (BR-NL-35).
      reasonCode: (specification !== 'nlcius' && vatCategoryOf(vatTreatment, invoice).vatex) || '',
      reason: treatmentReason(vatTreatment, invoice, invoice.language),
    })),
    lines: invoice.lines.map((line) => lineOf(line, invoice)),
  };
}

const addressOf = ({ addressLine1, city, postalCode, countryCode }: Party): EAddress => ({
  street: addressLine1,
  city,
  postalCode,
  countryCode,
});

function partyOf(party: Party, invoice: FrozenInvoice, tradingName: string): EParty {
  const endpoint = endpointOf(party);
  const legalId = legalIdOf(party);
  const name = party.companyName || party.name;
  const isSeller = party === invoice.seller;
  const person = party.companyName && party.name !== party.companyName ? party.name : '';
  const isOutside = invoice.totals.groups.some(({ vatTreatment }) => vatCategoryOf(vatTreatment, invoice).code === 'O');
  return {
    name,
    tradingName: tradingName === name ? '' : tradingName,
    ...(legalId && { legalId }),
    // Outside the scope of VAT no party has an id for it (BR-O-02).
    vatId: isOutside ? '' : vatIdOf(party),
    ...(endpoint && { endpoint }),
    address: addressOf(party),
    // German rules want a contact point of the seller (BR-DE-5).
    contact: { name: person || (isSeller ? tradingName || name : ''), phone: party.phone ?? '', email: party.email },
  };
}

/** When it is known; the day of issue where a rule asks for a day all the same (BR-IC-11, BR-DE-TMP-32). */
function deliveryDateOf(
  { period, supplyDate, issueDate, totals }: FrozenInvoice,
  specification: Specification,
): string {
  if (period) return '';
  const isAsked = totals.groups.some(({ vatTreatment }) => vatTreatment === 'intra_community');
  return supplyDate || (isAsked || specification === 'xrechnung' ? issueDate : '');
}

/**
 * A SEPA credit transfer where the buyer is to pay. A credit note says that the means are agreed on (57): an account of the seller's would be
 * paid into. An invoice that asks for nothing has none, for the same reason, save where German rules want some (BR-DE-1, DE-R-001).
 */
function paymentOf(invoice: FrozenInvoice, specification: Specification, openCents: number): EPayment | undefined {
  const { seller, number, kind, credited } = invoice;
  const isToBePaid = kind === 'invoice' ? openCents > 0 : openCents < 0;
  if (isToBePaid && seller.iban)
    return { meansCode: '58', remittance: credited?.number ?? number, iban: seller.iban.replace(/\s/g, '') };
  if (kind === 'credit_note' || isGerman(invoice, specification)) return { meansCode: '57', remittance: '', iban: '' };
  return undefined;
}

/** There was something to pay, and nothing is left of it. */
const isSettled = ({ totals }: FrozenInvoice, openCents: number): boolean => totals.inclCents > 0 && openCents <= 0;

/** What is to be said of the payment beside its date; empty on an invoice that is still to be paid. */
function termsOf(invoice: FrozenInvoice, openCents: number): string {
  const { kind, prepayment, language } = invoice;
  if (kind === 'credit_note') return creditSentence(invoice);
  if (!isSettled(invoice, openCents)) return '';
  return prepayment ? `${paidSentence(prepayment, language)}.` : WORDING[language].nothingLeft;
}

function categoryOf(treatment: VatTreatment, invoice: FrozenInvoice): ECategory {
  const { code } = vatCategoryOf(treatment, invoice);
  return { code, rate: code === 'O' ? '' : String(vatRateBps[treatment] / 100) };
}

function lineOf(line: Line, invoice: FrozenInvoice): ELine {
  const { price, allowance } = lineAmounts(line);
  const [name = '', ...more] = line.description.trim().split(/\s*[\r\n]+\s*/);
  return {
    name,
    description: more.join('\n'),
    // BR-27: a price is never negative, so its sign goes to the quantity.
    quantity: line.unitPriceCents < 0 ? negated(line.quantity) : line.quantity,
    unitCode: unitCode(line.unit),
    price,
    ...(allowance && {
      discount: {
        percent: String(allowance.bps / 100),
        baseCents: allowance.baseCents,
        amountCents: allowance.amountCents,
        reason: WORDING[invoice.language].discount,
      },
    }),
    netCents: line.netCents,
    category: categoryOf(line.vatTreatment, invoice),
  };
}

function negated(quantity: string): string {
  if (Number(quantity) === 0) return quantity;
  return quantity.startsWith('-') ? quantity.slice(1) : `-${quantity}`;
}
