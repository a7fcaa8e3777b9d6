import { parseUbl, type UblElement } from './ubl-faults';

/** What an e-invoice says, read back from its text, in the same shape for both syntaxes; an empty text where it does not say it. */
export type EInvoiceFacts = Readonly<Record<string, unknown>>;

export function ublFacts(xml: string): EInvoiceFacts {
  const root = parseUbl(xml);
  const isInvoice = root.name === 'Invoice';
  const party = (name: string): EInvoiceFacts => ublParty(root.one(name, 'Party')!);
  return {
    specification: root.value('CustomizationID'),
    number: root.value('ID'),
    type: root.value(isInvoice ? 'InvoiceTypeCode' : 'CreditNoteTypeCode'),
    issueDate: root.value('IssueDate'),
    dueDate: root.value('DueDate'),
    note: root.value('Note'),
    buyerReference: root.value('BuyerReference'),
    orderReference: root.value('OrderReference', 'ID'),
    preceding: ['ID', 'IssueDate'].map((each) => root.value('BillingReference', 'InvoiceDocumentReference', each)),
    period: ['StartDate', 'EndDate'].map((each) => root.value('InvoicePeriod', each)),
    delivery: root.value('Delivery', 'ActualDeliveryDate'),
    seller: party('AccountingSupplierParty'),
    buyer: party('AccountingCustomerParty'),
    payment: [
      root.value('PaymentMeans', 'PaymentMeansCode'),
      root.value('PaymentMeans', 'PaymentID'),
      root.value('PaymentMeans', 'PayeeFinancialAccount', 'ID'),
    ],
    terms: root.value('PaymentTerms', 'Note'),
    sums: ['LineExtensionAmount', 'TaxExclusiveAmount', 'TaxInclusiveAmount', 'PrepaidAmount', 'PayableAmount'].map(
      (each) => root.value('LegalMonetaryTotal', each),
    ),
    vatAmount: root.value('TaxTotal', 'TaxAmount'),
    vat: root
      .all('TaxTotal', 'TaxSubtotal')
      .map((each) => [
        each.value('TaxableAmount'),
        each.value('TaxAmount'),
        ...['ID', 'Percent', 'TaxExemptionReasonCode', 'TaxExemptionReason'].map((name) =>
          each.value('TaxCategory', name),
        ),
      ]),
    lines: root.all(isInvoice ? 'InvoiceLine' : 'CreditNoteLine').map((each) => {
      const quantity = each.one(isInvoice ? 'InvoicedQuantity' : 'CreditedQuantity')!;
      return [
        ...[each.value('Item', 'Name'), each.value('Item', 'Description')],
        ...[quantity.text, quantity.attributes['unitCode'], each.value('Price', 'PriceAmount')],
        ...['MultiplierFactorNumeric', 'BaseAmount', 'Amount', 'AllowanceChargeReason'].map((name) =>
          each.value('AllowanceCharge', name),
        ),
        each.value('LineExtensionAmount'),
        ...['ID', 'Percent'].map((name) => each.value('Item', 'ClassifiedTaxCategory', name)),
      ];
    }),
  };
}

const ublParty = (party: UblElement): EInvoiceFacts => ({
  endpoint: idOf(party.one('EndpointID')),
  legalId: idOf(party.one('PartyLegalEntity', 'CompanyID')),
  name: party.value('PartyLegalEntity', 'RegistrationName'),
  tradingName: party.value('PartyName', 'Name'),
  vatId: party.value('PartyTaxScheme', 'CompanyID'),
  contact: ['Name', 'Telephone', 'ElectronicMail'].map((each) => party.value('Contact', each)),
  address: [
    ...['StreetName', 'CityName', 'PostalZone'].map((each) => party.value('PostalAddress', each)),
    party.value('PostalAddress', 'Country', 'IdentificationCode'),
  ],
});

const idOf = (element: UblElement | undefined): unknown[] => [element?.attributes['schemeID'], element?.text];

export function ciiFacts(xml: string): EInvoiceFacts {
  const root = parseUbl(xml);
  const trade = root.one('SupplyChainTradeTransaction')!;
  const agreement = trade.one('ApplicableHeaderTradeAgreement')!;
  const settlement = trade.one('ApplicableHeaderTradeSettlement')!;
  const sum = (name: string): string => settlement.value('SpecifiedTradeSettlementHeaderMonetarySummation', name);
  const date = (element: UblElement, ...path: string[]): string =>
    element.value(...path, 'DateTimeString').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const preceding = ['InvoiceReferencedDocument'];
  return {
    specification: root.value('ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter', 'ID'),
    number: root.value('ExchangedDocument', 'ID'),
    type: root.value('ExchangedDocument', 'TypeCode'),
    issueDate: date(root, 'ExchangedDocument', 'IssueDateTime'),
    dueDate: date(settlement, 'SpecifiedTradePaymentTerms', 'DueDateDateTime'),
    note: root.value('ExchangedDocument', 'IncludedNote', 'Content'),
    buyerReference: agreement.value('BuyerReference'),
    orderReference: agreement.value('BuyerOrderReferencedDocument', 'IssuerAssignedID'),
    preceding: [
      settlement.value(...preceding, 'IssuerAssignedID'),
      date(settlement, ...preceding, 'FormattedIssueDateTime'),
    ],
    period: ['StartDateTime', 'EndDateTime'].map((each) => date(settlement, 'BillingSpecifiedPeriod', each)),
    delivery: date(trade, 'ApplicableHeaderTradeDelivery', 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime'),
    seller: ciiParty(agreement.one('SellerTradeParty')!),
    buyer: ciiParty(agreement.one('BuyerTradeParty')!),
    payment: [
      settlement.value('SpecifiedTradeSettlementPaymentMeans', 'TypeCode'),
      settlement.value('PaymentReference'),
      settlement.value('SpecifiedTradeSettlementPaymentMeans', 'PayeePartyCreditorFinancialAccount', 'IBANID'),
    ],
    terms: settlement.value('SpecifiedTradePaymentTerms', 'Description'),
    sums: ['LineTotalAmount', 'TaxBasisTotalAmount', 'GrandTotalAmount', 'TotalPrepaidAmount', 'DuePayableAmount'].map(
      sum,
    ),
    vatAmount: sum('TaxTotalAmount'),
    vat: settlement
      .all('ApplicableTradeTax')
      .map((each) =>
        [
          ...['BasisAmount', 'CalculatedAmount', 'CategoryCode', 'RateApplicablePercent'],
          ...['ExemptionReasonCode', 'ExemptionReason'],
        ].map((name) => each.value(name)),
      ),
    lines: trade.all('IncludedSupplyChainTradeLineItem').map(ciiLine),
  };
}

function ciiLine(line: UblElement): unknown[] {
  const quantity = line.one('SpecifiedLineTradeDelivery', 'BilledQuantity')!;
  const settled = line.one('SpecifiedLineTradeSettlement')!;
  return [
    ...['Name', 'Description'].map((each) => line.value('SpecifiedTradeProduct', each)),
    ...[quantity.text, quantity.attributes['unitCode']],
    line.value('SpecifiedLineTradeAgreement', 'NetPriceProductTradePrice', 'ChargeAmount'),
    ...['CalculationPercent', 'BasisAmount', 'ActualAmount', 'Reason'].map((each) =>
      settled.value('SpecifiedTradeAllowanceCharge', each),
    ),
    settled.value('SpecifiedTradeSettlementLineMonetarySummation', 'LineTotalAmount'),
    ...['CategoryCode', 'RateApplicablePercent'].map((each) => settled.value('ApplicableTradeTax', each)),
  ];
}

const ciiParty = (party: UblElement): EInvoiceFacts => ({
  endpoint: idOf(party.one('URIUniversalCommunication', 'URIID')),
  legalId: idOf(party.one('SpecifiedLegalOrganization', 'ID')),
  name: party.value('Name'),
  tradingName: party.value('SpecifiedLegalOrganization', 'TradingBusinessName'),
  vatId: party.value('SpecifiedTaxRegistration', 'ID'),
  contact: [
    party.value('DefinedTradeContact', 'PersonName'),
    party.value('DefinedTradeContact', 'TelephoneUniversalCommunication', 'CompleteNumber'),
    party.value('DefinedTradeContact', 'EmailURIUniversalCommunication', 'URIID'),
  ],
  address: ['LineOne', 'CityName', 'PostcodeCode', 'CountryID'].map((each) => party.value('PostalTradeAddress', each)),
});
