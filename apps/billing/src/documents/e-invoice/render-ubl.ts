import type { SchemedId } from '@invoicing/rules';
import type { FrozenInvoice } from '../../invoices/invoice';
import { type CopiedAccount, describeInvoice } from './describe-invoice';
import { type EAddress, type ECategory, type EInvoice, type ELine, type EParty, eurosOf } from './e-invoice';
import { xmlText, type XmlNode } from './xml-text';

// BT-23.
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';

/**
 * The e-invoice of a document in UBL 2.1; the order of elements is the schema's. The same text for the same invoice and account; without an
 * account as it was issued.
 */
export function renderUbl(invoice: FrozenInvoice, account?: CopiedAccount): string {
  const said = describeInvoice(invoice, { account });
  const root = said.isCreditNote ? 'CreditNote' : 'Invoice';
  return xmlText(root, {
    '@xmlns': `${UBL}:${root}-2`,
    '@xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
    '@xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
    ...headOf(said),
    ...partiesOf(said),
    ...sumsOf(said),
    [`cac:${root}Line`]: said.lines.map((line, index) => lineNode(line, index, said)),
  });
}

function headOf(said: EInvoice): XmlNode {
  const { period, preceding, orderReference } = said;
  return {
    'cbc:CustomizationID': said.specification,
    'cbc:ProfileID': PROFILE,
    'cbc:ID': said.number,
    'cbc:IssueDate': said.issueDate,
    'cbc:DueDate': said.dueDate,
    ...(said.isCreditNote ? { 'cbc:CreditNoteTypeCode': '381' } : { 'cbc:InvoiceTypeCode': '380' }),
    'cbc:Note': said.note,
    'cbc:DocumentCurrencyCode': said.currency,
    'cbc:BuyerReference': said.buyerReference,
    'cac:InvoicePeriod': period && { 'cbc:StartDate': period.from, 'cbc:EndDate': period.to },
    'cac:OrderReference': { 'cbc:ID': orderReference },
    'cac:BillingReference': preceding && {
      'cac:InvoiceDocumentReference': { 'cbc:ID': preceding.number, 'cbc:IssueDate': preceding.issueDate },
    },
  };
}

const partiesOf = ({ seller, buyer, deliveryDate, deliverTo, payment, paymentTerms }: EInvoice): XmlNode => ({
  'cac:AccountingSupplierParty': { 'cac:Party': partyNode(seller) },
  'cac:AccountingCustomerParty': { 'cac:Party': partyNode(buyer) },
  'cac:Delivery': {
    'cbc:ActualDeliveryDate': deliveryDate,
    'cac:DeliveryLocation': { 'cac:Address': deliverTo && addressNode(deliverTo) },
  },
  'cac:PaymentMeans': payment && {
    'cbc:PaymentMeansCode': payment.meansCode,
    'cbc:PaymentID': payment.remittance,
    // The IBAN alone: NLCIUS advises against name and BIC (BR-NL-30, BR-NL-31).
    'cac:PayeeFinancialAccount': { 'cbc:ID': payment.iban },
  },
  'cac:PaymentTerms': { 'cbc:Note': paymentTerms },
});

const sumsOf = ({ vat, totals, currency }: EInvoice): XmlNode => {
  const money = amountIn(currency);
  return {
    'cac:TaxTotal': {
      'cbc:TaxAmount': money(totals.vatCents),
      'cac:TaxSubtotal': vat.map((each) => ({
        'cbc:TaxableAmount': money(each.baseCents),
        'cbc:TaxAmount': money(each.vatCents),
        'cac:TaxCategory': {
          ...categoryNode(each),
          'cbc:TaxExemptionReasonCode': each.reasonCode,
          'cbc:TaxExemptionReason': each.reason,
          ...VAT_SCHEME,
        },
      })),
    },
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': money(totals.netCents),
      'cbc:TaxExclusiveAmount': money(totals.netCents),
      'cbc:TaxInclusiveAmount': money(totals.grossCents),
      'cbc:PrepaidAmount': totals.paidCents ? money(totals.paidCents) : undefined,
      'cbc:PayableAmount': money(totals.payableCents),
    },
  };
};

function lineNode(line: ELine, index: number, { currency, isCreditNote }: EInvoice): XmlNode {
  const { discount } = line;
  const money = amountIn(currency);
  return {
    'cbc:ID': String(index + 1),
    [isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity']: {
      '@unitCode': line.unitCode,
      '#': line.quantity,
    },
    'cbc:LineExtensionAmount': money(line.netCents),
    'cac:AllowanceCharge': discount && {
      'cbc:ChargeIndicator': 'false',
      // The words and not their code: NLCIUS advises against it (BR-NL-32).
      'cbc:AllowanceChargeReason': discount.reason,
      'cbc:MultiplierFactorNumeric': discount.percent,
      'cbc:Amount': money(discount.amountCents),
      'cbc:BaseAmount': money(discount.baseCents),
    },
    'cac:Item': {
      'cbc:Description': line.description,
      'cbc:Name': line.name,
      'cac:ClassifiedTaxCategory': { ...categoryNode(line.category), ...VAT_SCHEME },
    },
    'cac:Price': { 'cbc:PriceAmount': { '@currencyID': currency, '#': line.price } },
  };
}

const partyNode = ({ endpoint, tradingName, address, vatId, name, legalId, contact }: EParty): XmlNode => ({
  'cbc:EndpointID': idNode(endpoint),
  'cac:PartyName': { 'cbc:Name': tradingName },
  'cac:PostalAddress': addressNode(address),
  'cac:PartyTaxScheme': vatId ? { 'cbc:CompanyID': vatId, ...VAT_SCHEME } : undefined,
  'cac:PartyLegalEntity': { 'cbc:RegistrationName': name, 'cbc:CompanyID': idNode(legalId) },
  'cac:Contact': { 'cbc:Name': contact.name, 'cbc:Telephone': contact.phone, 'cbc:ElectronicMail': contact.email },
});

const addressNode = ({ street, city, postalCode, countryCode }: EAddress): XmlNode => ({
  'cbc:StreetName': street,
  'cbc:CityName': city,
  'cbc:PostalZone': postalCode,
  'cac:Country': { 'cbc:IdentificationCode': countryCode },
});

const idNode = (id: SchemedId | undefined): XmlNode | undefined => id && { '@schemeID': id.scheme, '#': id.id };

const VAT_SCHEME: XmlNode = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

const categoryNode = ({ code, rate }: ECategory): XmlNode => ({ 'cbc:ID': code, 'cbc:Percent': rate });

const amountIn =
  (currency: string) =>
  (cents: number): XmlNode => ({ '@currencyID': currency, '#': eurosOf(cents) });
