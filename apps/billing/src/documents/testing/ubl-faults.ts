import { create } from 'xmlbuilder2';

/** One element of a parsed document, asked by local names. */
export class UblElement {
  constructor(
    readonly name: string,
    readonly text: string,
    readonly attributes: Readonly<Record<string, string>>,
    readonly children: readonly UblElement[],
  ) {}

  all(...path: readonly string[]): UblElement[] {
    const [first, ...rest] = path;
    if (first === undefined) return [this];
    return this.children.filter(({ name }) => name === first).flatMap((child) => child.all(...rest));
  }

  one(...path: readonly string[]): UblElement | undefined {
    return this.all(...path)[0];
  }

  value(...path: readonly string[]): string {
    return this.one(...path)?.text ?? '';
  }

  /** An amount with two decimals, in cents. */
  cents(...path: readonly string[]): bigint {
    const value = this.value(...path);
    if (!/^-?\d+\.\d\d$/.test(value)) throw new Error(`${path.join('/')} is no amount of two decimals: ${value}`);
    return BigInt(value.replace('.', ''));
  }
}

/** What of the DOM is used here; the compiler settings have no browser types. */
interface DomNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly textContent: string;
  readonly childNodes: Iterable<DomNode>;
  readonly attributes: Iterable<{ readonly localName: string; readonly value: string }>;
}

export const parseUbl = (xml: string): UblElement => toElement(create(xml).root().node as unknown as DomNode);

function toElement(node: DomNode): UblElement {
  const children = [...node.childNodes].filter(({ nodeType }) => nodeType === 1).map(toElement);
  const attributes = Object.fromEntries([...node.attributes].map(({ localName, value }) => [localName, value]));
  return new UblElement(node.localName, children.length ? '' : node.textContent, attributes, children);
}

const elements = (element: UblElement): UblElement[] => [element, ...element.children.flatMap(elements)];
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** An amount of any decimals: n / d. */
function ratio(text: string): { n: bigint; d: bigint } {
  const [, whole = '', fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) };
}

/** Half away from zero, as EN 16931 rounds. */
const rounded = (n: bigint, d: bigint): bigint => (n < 0n ? -((-2n * n + d) / (2n * d)) : (2n * n + d) / (2n * d));

/**
 * The ids of the rules of EN 16931, Peppol BIS 3 and NLCIUS that this document breaks: those that depend on figures and
 * on what is there. Written against the rules, not against the renderer; every sum is derived anew from the text.
 */
export function ublFaults(xml: string, vatSlackCents = 0n): string[] {
  const root = parseUbl(xml);
  const isInvoice = root.name === 'Invoice';
  const lines = root.all(isInvoice ? 'InvoiceLine' : 'CreditNoteLine');
  const groups = root.all('TaxTotal', 'TaxSubtotal');
  const supplier = root.one('AccountingSupplierParty', 'Party')!;
  const customer = root.one('AccountingCustomerParty', 'Party')!;
  const total = root.one('LegalMonetaryTotal')!;
  const payable = total.cents('PayableAmount');
  const countryOf = (party: UblElement): string => party.value('PostalAddress', 'Country', 'IdentificationCode');
  const vatIdOf = (party: UblElement): string => party.value('PartyTaxScheme', 'CompanyID');
  const categories = groups.map((group) => group.value('TaxCategory', 'ID'));
  const isDutch = countryOf(supplier) === 'NL';
  const areDutch = isDutch && countryOf(customer) === 'NL';
  const faults: string[] = [];
  const rule = (id: string, holds: boolean): void => {
    if (!holds) faults.push(id);
  };

  rule(
    'PEPPOL-EN16931-R008',
    elements(root).every(({ text, children }) => text.trim() || children.length),
  );
  rule('PEPPOL-EN16931-R003', Boolean(root.value('BuyerReference') || root.value('OrderReference', 'ID')));
  rule('PEPPOL-EN16931-R010', Boolean(customer.one('EndpointID')?.attributes['schemeID']));
  rule('PEPPOL-EN16931-R020', Boolean(supplier.one('EndpointID')?.attributes['schemeID']));
  rule('PEPPOL-EN16931-R053', root.all('TaxTotal').length === 1 && groups.length > 0);
  rule('BR-04', root.value(isInvoice ? 'InvoiceTypeCode' : 'CreditNoteTypeCode') === (isInvoice ? '380' : '381'));
  rule('BR-16', lines.length > 0);
  rule('BR-CO-25', payable <= 0n || Boolean(root.value('DueDate') || root.value('PaymentTerms', 'Note')));
  for (const party of [supplier, customer]) {
    rule('BR-09', /^[A-Z]{2}$/.test(countryOf(party)));
    rule('BR-CO-09', vatIdOf(party) === '' || /^(?!GR)[A-Z]{2}/.test(vatIdOf(party)));
  }

  const linesTotal = sum(lines.map((line) => line.cents('LineExtensionAmount')));
  rule('BR-CO-10', total.cents('LineExtensionAmount') === linesTotal);
  rule('BR-CO-13', total.cents('TaxExclusiveAmount') === linesTotal);
  const vat = root.cents('TaxTotal', 'TaxAmount');
  rule('BR-CO-14', vat === sum(groups.map((group) => group.cents('TaxAmount'))));
  rule('BR-CO-15', total.cents('TaxInclusiveAmount') === total.cents('TaxExclusiveAmount') + vat);
  const paid = total.one('PrepaidAmount') ? total.cents('PrepaidAmount') : 0n;
  rule('BR-CO-16', payable === total.cents('TaxInclusiveAmount') - paid);
  // Ours: whoever has paid is given no date, account or means by which to pay again.
  const isSettled = paid !== 0n && payable === 0n;
  rule('paid, yet due', !isSettled || !root.one('DueDate'));
  rule('paid, yet payable', !isSettled || !root.one('PaymentMeans'));

  const keyOf = (category: UblElement): string => `${category.value('ID')} ${category.value('Percent')}`;
  rule('BR-CO-18', new Set(groups.map((group) => keyOf(group.one('TaxCategory')!))).size === groups.length);
  for (const group of groups) {
    const category = group.one('TaxCategory')!;
    const own = lines.filter((line) => keyOf(line.one('Item', 'ClassifiedTaxCategory')!) === keyOf(category));
    rule('BR-S-08', group.cents('TaxableAmount') === sum(own.map((line) => line.cents('LineExtensionAmount'))));
    const basisPoints = BigInt(Math.round(Number(category.value('Percent')) * 100));
    // The official rule allows a difference below one euro; ours is what taking VAT out of a sum including it leaves: one cent.
    const vatOfBase = rounded(group.cents('TaxableAmount') * basisPoints, 10_000n);
    rule('BR-CO-17', abs(group.cents('TaxAmount') - vatOfBase) <= vatSlackCents);
    const id = category.value('ID');
    rule('BR-CL-17', ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'].includes(id));
    const reason = category.value('TaxExemptionReason') || category.value('TaxExemptionReasonCode');
    rule(`BR-${id === 'K' ? 'IC' : id}-10`, ['S', 'Z'].includes(id) ? !reason : Boolean(reason));
    if (id !== 'S') rule(`BR-${id === 'K' ? 'IC' : id}-05`, Number(category.value('Percent')) === 0);
    rule(`BR-${id === 'K' ? 'IC' : id}-02`, (vatIdOf(supplier) !== '') === (id !== 'O'));
  }
  if (categories.includes('AE'))
    rule('BR-AE-02', Boolean(vatIdOf(customer) || customer.value('PartyLegalEntity', 'CompanyID')));
  if (categories.includes('K')) {
    rule('BR-IC-02', vatIdOf(customer) !== '');
    rule('BR-IC-11', root.value('Delivery', 'ActualDeliveryDate') !== '');
    rule('BR-IC-12', root.value('Delivery', 'DeliveryLocation', 'Address', 'Country', 'IdentificationCode') !== '');
  }

  for (const line of lines) {
    const price = ratio(line.value('Price', 'PriceAmount'));
    rule('BR-27', price.n >= 0n);
    rule('BR-25', line.value('Item', 'Name') !== '');
    const quantity = line.one(isInvoice ? 'InvoicedQuantity' : 'CreditedQuantity')!;
    rule('BR-23', /^[A-Z0-9]{2,3}$/.test(quantity.attributes['unitCode'] ?? ''));
    const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(quantity.text) ?? [];
    const millionths = BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`);
    const allowance = line.one('AllowanceCharge');
    const taken = allowance ? allowance.cents('Amount') : 0n;
    const net = line.cents('LineExtensionAmount') + taken;
    // All in 1e-6 of a cent of the price's last decimal.
    const difference = net * 1_000_000n * price.d - millionths * price.n * 100n;
    rule('PEPPOL-EN16931-R120', abs(difference) <= 2_000_000n * price.d);
    if (allowance) {
      rule('BR-42', allowance.value('AllowanceChargeReason') !== '' && allowance.value('ChargeIndicator') === 'false');
      const percent = BigInt(Math.round(Number(allowance.value('MultiplierFactorNumeric')) * 100));
      const share = allowance.cents('BaseAmount') * percent;
      rule('PEPPOL-EN16931-R040', abs(taken * 10_000n - share) <= 20_000n);
    }
  }

  const hasAddress = (party: UblElement): boolean =>
    ['StreetName', 'CityName', 'PostalZone'].every((each) => party.value('PostalAddress', each) !== '');
  const legalScheme = (party: UblElement): string | undefined =>
    party.one('PartyLegalEntity', 'CompanyID')?.attributes['schemeID'];
  if (isDutch) {
    rule('NL-R-001', isInvoice || root.value('BillingReference', 'InvoiceDocumentReference', 'ID') !== '');
    rule('NL-R-002', hasAddress(supplier));
    rule('NL-R-003', ['0106', '0190'].includes(legalScheme(supplier) ?? ''));
    const isToBePaid = isInvoice ? payable > 0n : payable < 0n;
    rule('NL-R-007', !isToBePaid || root.one('PaymentMeans') !== undefined);
  }
  if (areDutch) {
    rule('NL-R-004', hasAddress(customer));
    const legal = customer.one('PartyLegalEntity', 'CompanyID');
    rule('NL-R-005', !legal || ['0106', '0190'].includes(legalScheme(customer) ?? ''));
    rule(
      'NL-R-008',
      root
        .all('PaymentMeans')
        .every((each) => ['30', '48', '49', '57', '58', '59'].includes(each.value('PaymentMeansCode'))),
    );
  }
  return [...new Set(faults)];
}
