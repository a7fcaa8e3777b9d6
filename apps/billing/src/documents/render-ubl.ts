import type { FrozenInvoice, Line, Party, VatTreatment } from '../domain/invoice';
import { vatRateBps } from '../domain/totals';
import { endpointOf, legalIdOf, unitCode, VAT_CATEGORY, vatIdOf } from './e-invoice-codes';
import { exemptionProvision } from './vat-wording';
import { WORDING } from './wording';

type Node = { [name: string]: Node | Node[] | string | undefined };

const PEPPOL = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const NLCIUS = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0';
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';

/**
 * UBL 2.1 by EN 16931 and Peppol BIS Billing 3 (NLCIUS between Dutch parties). Valid when `eInvoiceViolations` has
 * nothing to say; the order of elements is the schema's. The same text for the same invoice.
 */
export async function renderUbl(invoice: FrozenInvoice): Promise<string> {
  // Some 14 MB of memory, for documents that few ask for.
  const { create } = await import('xmlbuilder2');
  const root = invoice.kind === 'invoice' ? 'Invoice' : 'CreditNote';
  const document = {
    [root]: {
      '@xmlns': `${UBL}:${root}-2`,
      '@xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
      '@xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
      ...withoutEmpty(contentOf(invoice)),
    },
  };
  return create({ version: '1.0', encoding: 'UTF-8' }, document).end({ prettyPrint: true });
}

function contentOf(invoice: FrozenInvoice): Node {
  const { kind, seller, buyer, totals, credited } = invoice;
  const isInvoice = kind === 'invoice';
  const areDutch = seller.countryCode === 'NL' && buyer.countryCode === 'NL';
  return {
    'cbc:CustomizationID': areDutch ? NLCIUS : PEPPOL,
    'cbc:ProfileID': PROFILE,
    'cbc:ID': invoice.number,
    'cbc:IssueDate': invoice.issueDate,
    ...(isInvoice
      ? { 'cbc:DueDate': invoice.dueDate, 'cbc:InvoiceTypeCode': '380' }
      : { 'cbc:CreditNoteTypeCode': '381' }),
    'cbc:Note': invoice.reason,
    'cbc:DocumentCurrencyCode': invoice.currency,
    // What the buyer calls it we are not told; its contact person is what a clerk looks for.
    'cbc:BuyerReference': buyer.name || invoice.number,
    'cac:BillingReference': credited
      ? { 'cac:InvoiceDocumentReference': { 'cbc:ID': credited.number, 'cbc:IssueDate': credited.issueDate } }
      : undefined,
    'cac:AccountingSupplierParty': { 'cac:Party': partyNode(seller, invoice.style.profileName) },
    'cac:AccountingCustomerParty': { 'cac:Party': partyNode(buyer, '') },
    'cac:Delivery': {
      'cbc:ActualDeliveryDate': invoice.supplyDate,
      'cac:DeliveryLocation': { 'cac:Address': countryNode(buyer) },
    },
    'cac:PaymentMeans': paymentNode(invoice),
    'cac:PaymentTerms': isInvoice ? undefined : { 'cbc:Note': WORDING[invoice.language].refund },
    'cac:TaxTotal': taxTotalNode(invoice),
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': amount(totals.exclCents),
      'cbc:TaxExclusiveAmount': amount(totals.exclCents),
      'cbc:TaxInclusiveAmount': amount(totals.inclCents),
      'cbc:PayableAmount': amount(totals.inclCents),
    },
    [isInvoice ? 'cac:InvoiceLine' : 'cac:CreditNoteLine']: invoice.lines.map((line, index) =>
      lineNode(line, index, isInvoice ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity'),
    ),
  };
}

function partyNode(party: Party, tradingName: string): Node {
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

const VAT_SCHEME: Node = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

const countryNode = ({ countryCode }: Party): Node => ({ 'cac:Country': { 'cbc:IdentificationCode': countryCode } });

/** SEPA credit transfer; nothing when the buyer owes nothing. */
function paymentNode({ kind, seller, totals, number }: FrozenInvoice): Node | undefined {
  if (kind !== 'invoice' || totals.inclCents <= 0 || !seller.iban) return undefined;
  return {
    'cbc:PaymentMeansCode': '58',
    'cbc:PaymentID': number,
    'cac:PayeeFinancialAccount': {
      'cbc:ID': seller.iban.replace(/\s/g, ''),
      'cbc:Name': seller.name,
      'cac:FinancialInstitutionBranch': { 'cbc:ID': seller.bic },
    },
  };
}

function taxTotalNode(invoice: FrozenInvoice): Node {
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

const categoryNode = (treatment: VatTreatment): Node => ({
  'cbc:ID': VAT_CATEGORY[treatment].code,
  'cbc:Percent': String(vatRateBps[treatment] / 100),
});

function lineNode(line: Line, index: number, quantityName: string): Node {
  // BR-27: a price is never negative, so its sign goes to the quantity.
  const isTurned = line.unitPriceCents < 0;
  const [name = '', ...more] = line.description.trim().split(/\s*[\r\n]+\s*/);
  return {
    'cbc:ID': String(index + 1),
    [quantityName]: { '@unitCode': unitCode(line.unit), '#': isTurned ? negated(line.quantity) : line.quantity },
    'cbc:LineExtensionAmount': amount(line.netCents),
    'cac:Item': {
      'cbc:Description': more.join('\n'),
      'cbc:Name': name,
      'cac:ClassifiedTaxCategory': { ...categoryNode(line.vatTreatment), ...VAT_SCHEME },
    },
    'cac:Price': { 'cbc:PriceAmount': amount(Math.abs(line.unitPriceCents)) },
  };
}

function negated(quantity: string): string {
  if (Number(quantity) === 0) return quantity;
  return quantity.startsWith('-') ? quantity.slice(1) : `-${quantity}`;
}

function amount(cents: number): Node {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return { '@currencyID': 'EUR', '#': `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` };
}

// What XML 1.0 cannot carry, lone surrogates among it.
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** PEPPOL-EN16931-R008: no empty elements, so what is unknown is left out, with the elements that held only that. */
function withoutEmpty(node: Node): Node {
  const kept: Node = {};
  for (const [name, value] of Object.entries(node)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) kept[name] = value.map(withoutEmpty);
    else if (typeof value === 'string') {
      const text = value.replace(NOT_XML, '').trim();
      if (text) kept[name] = text;
    } else {
      const inner = withoutEmpty(value);
      if (Object.keys(inner).some((each) => !each.startsWith('@'))) kept[name] = inner;
    }
  }
  return kept;
}
