import type { FrozenInvoice, Period } from '../../invoices/invoice';
import { type CopiedAccount, describeInvoice } from './describe-invoice';
import { type EAddress, type EInvoice, type ELine, type EParty, type EVat, eurosOf } from './e-invoice';
import { specificationOf } from './specification';
import { xmlText, type XmlNode } from './xml-text';

const UNECE = 'urn:un:unece:uncefact:data';

/**
 * The e-invoice of a document in UN/CEFACT CII by the profile EN 16931 of Factur-X and ZUGFeRD, to German buyers by XRechnung where that is
 * wished; the order of elements is the schema's. The same text for the same invoice and account.
 */
export function renderCii(invoice: FrozenInvoice, account?: CopiedAccount): string {
  const specification = specificationOf(invoice) === 'xrechnung' ? 'xrechnung' : 'en16931';
  const said = describeInvoice(invoice, { account, specification });
  return xmlText('rsm:CrossIndustryInvoice', {
    '@xmlns:rsm': `${UNECE}:standard:CrossIndustryInvoice:100`,
    '@xmlns:ram': `${UNECE}:standard:ReusableAggregateBusinessInformationEntity:100`,
    '@xmlns:qdt': `${UNECE}:standard:QualifiedDataType:100`,
    '@xmlns:udt': `${UNECE}:standard:UnqualifiedDataType:100`,
    'rsm:ExchangedDocumentContext': {
      // BT-23: XRechnung and Peppol want one, EN 16931 leaves it open.
      'ram:BusinessProcessSpecifiedDocumentContextParameter': {
        'ram:ID': 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
      },
      'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': said.specification },
    },
    'rsm:ExchangedDocument': {
      'ram:ID': said.number,
      'ram:TypeCode': said.isCreditNote ? '381' : '380',
      'ram:IssueDateTime': dateNode(said.issueDate),
      'ram:IncludedNote': { 'ram:Content': said.note },
    },
    'rsm:SupplyChainTradeTransaction': {
      'ram:IncludedSupplyChainTradeLineItem': said.lines.map(lineNode),
      'ram:ApplicableHeaderTradeAgreement': agreementNode(said),
      'ram:ApplicableHeaderTradeDelivery': deliveryNode(said),
      'ram:ApplicableHeaderTradeSettlement': settlementNode(said),
    },
  });
}

function lineNode(line: ELine, index: number): XmlNode {
  const { discount, category } = line;
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': String(index + 1) },
    'ram:SpecifiedTradeProduct': { 'ram:Name': line.name, 'ram:Description': line.description },
    'ram:SpecifiedLineTradeAgreement': { 'ram:NetPriceProductTradePrice': { 'ram:ChargeAmount': line.price } },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': { '@unitCode': line.unitCode, '#': line.quantity } },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': {
        'ram:TypeCode': 'VAT',
        'ram:CategoryCode': category.code,
        'ram:RateApplicablePercent': category.rate,
      },
      'ram:SpecifiedTradeAllowanceCharge': discount && {
        'ram:ChargeIndicator': { 'udt:Indicator': 'false' },
        'ram:CalculationPercent': discount.percent,
        'ram:BasisAmount': eurosOf(discount.baseCents),
        'ram:ActualAmount': eurosOf(discount.amountCents),
        'ram:Reason': discount.reason,
      },
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': eurosOf(line.netCents) },
    },
  };
}

const agreementNode = ({ buyerReference, orderReference, seller, buyer }: EInvoice): XmlNode => ({
  'ram:BuyerReference': buyerReference,
  'ram:SellerTradeParty': partyNode(seller),
  'ram:BuyerTradeParty': partyNode(buyer),
  'ram:BuyerOrderReferencedDocument': { 'ram:IssuerAssignedID': orderReference },
});

/** The schema wants the element and Factur-X none that is empty: where nothing is known of the supply, the buyer had it (BT-70). */
const deliveryNode = ({ deliverTo, deliveryDate, buyer }: EInvoice): XmlNode => ({
  'ram:ShipToTradeParty': {
    'ram:Name': deliverTo || deliveryDate ? '' : buyer.name,
    'ram:PostalTradeAddress': deliverTo && addressNode(deliverTo),
  },
  'ram:ActualDeliverySupplyChainEvent': { 'ram:OccurrenceDateTime': dateNode(deliveryDate) },
});

function settlementNode(said: EInvoice): XmlNode {
  const { payment, totals, preceding, currency } = said;
  return {
    'ram:PaymentReference': payment?.remittance,
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': payment && {
      'ram:TypeCode': payment.meansCode,
      'ram:PayeePartyCreditorFinancialAccount': { 'ram:IBANID': payment.iban },
    },
    'ram:ApplicableTradeTax': said.vat.map(vatNode),
    'ram:BillingSpecifiedPeriod': periodNode(said.period),
    'ram:SpecifiedTradePaymentTerms': {
      'ram:Description': said.paymentTerms,
      'ram:DueDateDateTime': dateNode(said.dueDate),
    },
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': eurosOf(totals.netCents),
      'ram:TaxBasisTotalAmount': eurosOf(totals.netCents),
      'ram:TaxTotalAmount': { '@currencyID': currency, '#': eurosOf(totals.vatCents) },
      'ram:GrandTotalAmount': eurosOf(totals.grossCents),
      'ram:TotalPrepaidAmount': totals.paidCents ? eurosOf(totals.paidCents) : '',
      'ram:DuePayableAmount': eurosOf(totals.payableCents),
    },
    'ram:InvoiceReferencedDocument': preceding && {
      'ram:IssuerAssignedID': preceding.number,
      'ram:FormattedIssueDateTime': dateNode(preceding.issueDate, 'qdt'),
    },
  };
}

const vatNode = (each: EVat): XmlNode => ({
  'ram:CalculatedAmount': eurosOf(each.vatCents),
  'ram:TypeCode': 'VAT',
  'ram:ExemptionReason': each.reason,
  'ram:BasisAmount': eurosOf(each.baseCents),
  'ram:CategoryCode': each.code,
  'ram:ExemptionReasonCode': each.reasonCode,
  'ram:RateApplicablePercent': each.rate,
});

const partyNode = ({ name, tradingName, legalId, contact, address, endpoint, vatId }: EParty): XmlNode => ({
  'ram:Name': name,
  'ram:SpecifiedLegalOrganization': {
    'ram:ID': legalId && { '@schemeID': legalId.scheme, '#': legalId.id },
    'ram:TradingBusinessName': tradingName,
  },
  'ram:DefinedTradeContact': {
    'ram:PersonName': contact.name,
    'ram:TelephoneUniversalCommunication': { 'ram:CompleteNumber': contact.phone },
    'ram:EmailURIUniversalCommunication': { 'ram:URIID': contact.email },
  },
  'ram:PostalTradeAddress': addressNode(address),
  'ram:URIUniversalCommunication': {
    'ram:URIID': endpoint && { '@schemeID': endpoint.scheme, '#': endpoint.id },
  },
  'ram:SpecifiedTaxRegistration': { 'ram:ID': vatId ? { '@schemeID': 'VA', '#': vatId } : undefined },
});

const addressNode = ({ street, city, postalCode, countryCode }: EAddress): XmlNode => ({
  'ram:PostcodeCode': postalCode,
  'ram:LineOne': street,
  'ram:CityName': city,
  'ram:CountryID': countryCode,
});

const periodNode = (period: Period | undefined): XmlNode | undefined =>
  period && { 'ram:StartDateTime': dateNode(period.from), 'ram:EndDateTime': dateNode(period.to) };

/** Format 102: YYYYMMDD. */
const dateNode = (date: string, namespace: 'udt' | 'qdt' = 'udt'): XmlNode => ({
  [`${namespace}:DateTimeString`]: { '@format': '102', '#': date.replace(/-/g, '') },
});
