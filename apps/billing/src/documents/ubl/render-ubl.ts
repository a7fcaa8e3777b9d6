import { amountDueCents, type FrozenInvoice, type Line, type Party, type VatTreatment } from '../../invoices/invoice';
import { vatRateBps } from '../../invoices/totals';
import { endpointOf, legalIdOf, unitCode, VAT_CATEGORY, vatIdOf } from './e-invoice-codes';
import { lineAmounts } from './line-amounts';
import { paidSentence } from '../wording/payment-method';
import { exemptionProvision } from '../wording/vat-wording';
import { WORDING } from '../wording/wording';
import { xmlText, type XmlNode } from './xml-text';

const PEPPOL = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const NLCIUS = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0';
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';

// What Peppol BIS has for a reference that there is none of (PEPPOL-EN16931-R003 wants one).
const NO_REFERENCE = 'NA';

/** What of an account a copy of an e-invoice says: what is still to be paid, in cents; below 0 when too much was paid. */
export interface UblAccount {
  readonly openCents: number;
}

/**
 * UBL 2.1 by EN 16931 and Peppol BIS Billing 3 (NLCIUS between Dutch parties). Valid when `eInvoiceViolations` has
 * nothing to say; the order of elements is the schema's. The same text for the same invoice and account; without an account it is the
 * document as it was issued.
 */
export function renderUbl(invoice: FrozenInvoice, account?: UblAccount): string {
  const root = invoice.kind === 'invoice' ? 'Invoice' : 'CreditNote';
  return xmlText(root, {
    '@xmlns': `${UBL}:${root}-2`,
    '@xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
    '@xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
    ...contentOf(invoice, account ? Math.max(0, account.openCents) : amountDueCents(invoice)),
  });
}

function contentOf(invoice: FrozenInvoice, openCents: number): XmlNode {
  const { kind, seller, buyer, totals, credited, reference } = invoice;
  const isInvoice = kind === 'invoice';
  const areDutch = seller.countryCode === 'NL' && buyer.countryCode === 'NL';
  return {
    'cbc:CustomizationID': areDutch ? NLCIUS : PEPPOL,
    'cbc:ProfileID': PROFILE,
    'cbc:ID': invoice.number,
    'cbc:IssueDate': invoice.issueDate,
    ...(isInvoice
      ? { 'cbc:DueDate': isSettled(invoice, openCents) ? undefined : invoice.dueDate, 'cbc:InvoiceTypeCode': '380' }
      : { 'cbc:CreditNoteTypeCode': '381' }),
    'cbc:Note': isInvoice ? invoice.note : invoice.reason,
    'cbc:DocumentCurrencyCode': invoice.currency,
    'cbc:BuyerReference': reference || NO_REFERENCE,
    'cac:InvoicePeriod': invoice.period && { 'cbc:StartDate': invoice.period.from, 'cbc:EndDate': invoice.period.to },
    'cac:OrderReference': reference ? { 'cbc:ID': reference } : undefined,
    'cac:BillingReference': credited
      ? { 'cac:InvoiceDocumentReference': { 'cbc:ID': credited.number, 'cbc:IssueDate': credited.issueDate } }
      : undefined,
    'cac:AccountingSupplierParty': { 'cac:Party': partyNode(seller, invoice.style.profileName) },
    'cac:AccountingCustomerParty': { 'cac:Party': partyNode(buyer, '') },
    'cac:Delivery': {
      'cbc:ActualDeliveryDate': invoice.period ? undefined : invoice.supplyDate,
      'cac:DeliveryLocation': { 'cac:Address': countryNode(buyer) },
    },
    'cac:PaymentMeans': isInvoice && openCents > 0 ? paymentNode(invoice) : undefined,
    'cac:PaymentTerms': { 'cbc:Note': termsOf(invoice, openCents) },
    'cac:TaxTotal': taxTotalNode(invoice),
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': amount(totals.exclCents),
      'cbc:TaxExclusiveAmount': amount(totals.exclCents),
      'cbc:TaxInclusiveAmount': amount(totals.inclCents),
      'cbc:PrepaidAmount': openCents === totals.inclCents ? undefined : amount(totals.inclCents - openCents),
      'cbc:PayableAmount': amount(openCents),
    },
    [isInvoice ? 'cac:InvoiceLine' : 'cac:CreditNoteLine']: invoice.lines.map((line, index) =>
      lineNode(line, index, isInvoice ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity'),
    ),
  };
}

function partyNode(party: Party, tradingName: string): XmlNode {
  const endpoint = endpointOf(party);
  const legal = legalIdOf(party);
  const registered = party.companyName || party.name;
  const contact = party.companyName && party.name !== party.companyName ? party.name : '';
  return {
    'cbc:EndpointID': endpoint && { '@schemeID': endpoint.scheme, '#': endpoint.id },
    'cac:PartyName': { 'cbc:Name': tradingName === registered ? '' : tradingName },
    'cac:PostalAddress': {
      'cbc:StreetName': party.addressLine1,
      'cbc:CityName': party.city,
      'cbc:PostalZone': party.postalCode,
      ...countryNode(party),
    },
    'cac:PartyTaxScheme': vatIdOf(party) ? { 'cbc:CompanyID': vatIdOf(party), ...VAT_SCHEME } : undefined,
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': registered,
      'cbc:CompanyID': legal && { '@schemeID': legal.scheme, '#': legal.id },
    },
    'cac:Contact': { 'cbc:Name': contact, 'cbc:ElectronicMail': party.email },
  };
}

const VAT_SCHEME: XmlNode = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

const countryNode = ({ countryCode }: Party): XmlNode => ({ 'cac:Country': { 'cbc:IdentificationCode': countryCode } });

/** There was something to pay, and nothing is left of it. */
const isSettled = ({ totals }: FrozenInvoice, openCents: number): boolean => totals.inclCents > 0 && openCents <= 0;

/** What is to be said of the payment beside its date; empty on an invoice that is still to be paid. */
function termsOf(invoice: FrozenInvoice, openCents: number): string {
  const { kind, prepayment, language } = invoice;
  if (kind === 'credit_note') return WORDING[language].refund;
  if (!isSettled(invoice, openCents)) return '';
  return prepayment ? `${paidSentence(prepayment, language)}.` : WORDING[language].nothingLeft;
}

/**
 * SEPA credit transfer. Nothing when the buyer owes nothing: how something was paid before is no means that a Dutch
 * e-invoice may name (NL-R-008), and an account would be paid into once more.
 */
function paymentNode({ seller, number }: FrozenInvoice): XmlNode | undefined {
  if (!seller.iban) return undefined;
  return {
    'cbc:PaymentMeansCode': '58',
    'cbc:PaymentID': number,
    // The IBAN alone: NLCIUS advises against name and BIC (BR-NL-30, BR-NL-31).
    'cac:PayeeFinancialAccount': { 'cbc:ID': seller.iban.replace(/\s/g, '') },
  };
}

function taxTotalNode(invoice: FrozenInvoice): XmlNode {
  return {
    'cbc:TaxAmount': amount(invoice.totals.vatCents),
    'cac:TaxSubtotal': invoice.totals.groups.map(({ vatTreatment, baseCents, vatCents }) => ({
      'cbc:TaxableAmount': amount(baseCents),
      'cbc:TaxAmount': amount(vatCents),
      'cac:TaxCategory': {
        ...categoryNode(vatTreatment),
        'cbc:TaxExemptionReasonCode': VAT_CATEGORY[vatTreatment].vatex,
        'cbc:TaxExemptionReason': exemptionReason(vatTreatment, invoice),
        ...VAT_SCHEME,
      },
    })),
  };
}

function exemptionReason(treatment: VatTreatment, invoice: FrozenInvoice): string {
  const words = WORDING[invoice.language];
  if (treatment === 'exempt') return `${words.exempt} – ${exemptionProvision(invoice, invoice.language)}`;
  if (treatment === 'reverse_charge') return words.reverseCharge;
  return treatment === 'intra_community' ? words.intraCommunity : '';
}

const categoryNode = (treatment: VatTreatment): XmlNode => ({
  'cbc:ID': VAT_CATEGORY[treatment].code,
  'cbc:Percent': String(vatRateBps[treatment] / 100),
});

function lineNode(line: Line, index: number, quantityName: string): XmlNode {
  const { price, allowance } = lineAmounts(line);
  // BR-27: a price is never negative, so its sign goes to the quantity.
  const isTurned = line.unitPriceCents < 0;
  const [name = '', ...more] = line.description.trim().split(/\s*[\r\n]+\s*/);
  return {
    'cbc:ID': String(index + 1),
    [quantityName]: { '@unitCode': unitCode(line.unit), '#': isTurned ? negated(line.quantity) : line.quantity },
    'cbc:LineExtensionAmount': amount(line.netCents),
    'cac:AllowanceCharge': allowance && {
      'cbc:ChargeIndicator': 'false',
      // UNCL5189: discount.
      'cbc:AllowanceChargeReasonCode': '95',
      'cbc:MultiplierFactorNumeric': String(allowance.bps / 100),
      'cbc:Amount': amount(allowance.amountCents),
      'cbc:BaseAmount': amount(allowance.baseCents),
    },
    'cac:Item': {
      'cbc:Description': more.join('\n'),
      'cbc:Name': name,
      'cac:ClassifiedTaxCategory': { ...categoryNode(line.vatTreatment), ...VAT_SCHEME },
    },
    'cac:Price': { 'cbc:PriceAmount': { '@currencyID': 'EUR', '#': price } },
  };
}

function negated(quantity: string): string {
  if (Number(quantity) === 0) return quantity;
  return quantity.startsWith('-') ? quantity.slice(1) : `-${quantity}`;
}

function amount(cents: number): XmlNode {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return { '@currencyID': 'EUR', '#': `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` };
}
