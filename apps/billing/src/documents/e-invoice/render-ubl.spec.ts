import fc from 'fast-check';
import { endpointOf, legalIdOf, type SchemedId } from '@invoicing/rules';
import type { CreditApplied, Entry } from '../../account/entry';
import type { FrozenInvoice, Party } from '../../invoices/invoice';
import { vatTreatments } from '../../invoices/totals';
import { eInvoiceViolations } from './e-invoice-rules';
import { renderUbl } from './render-ubl';
import {
  bakery,
  berliner,
  creditNote,
  dutchInvoice,
  exemptInvoice,
  intraCommunityInvoice,
  longInvoice,
  mixedInvoice,
  prepaid,
  prepaidEnglishInvoice,
  prepaidInvoice,
  reverseChargeInvoice,
  sampleInvoice,
  studio,
  unrulyInvoice,
} from '../testing/sample-invoices';
import { sampleAccount, samplePayment } from '../testing/sample-account';
import { parseUbl, ublFaults } from '../testing/ubl-faults';

const samples = {
  dutchInvoice,
  reverseChargeInvoice,
  intraCommunityInvoice,
  exemptInvoice,
  creditNote,
  mixedInvoice,
  longInvoice,
  unrulyInvoice,
  prepaidInvoice,
  prepaidEnglishInvoice,
  prepaidAbroad: prepaid(reverseChargeInvoice),
  creditNoteAbroad: { ...creditNote, buyer: berliner, language: 'en' as const },
};
const euros = (cents: number): bigint => BigInt(cents);

/** The figures of the document as its text gives them equal those of the invoice. */
function expectSameSums(xml: string, { totals, lines, kind, prepayment }: FrozenInvoice): void {
  const root = parseUbl(xml);
  expect(root.cents('LegalMonetaryTotal', 'TaxExclusiveAmount')).toBe(euros(totals.exclCents));
  expect(root.cents('TaxTotal', 'TaxAmount')).toBe(euros(totals.vatCents));
  expect(root.cents('LegalMonetaryTotal', 'TaxInclusiveAmount')).toBe(euros(totals.inclCents));
  expect(root.cents('LegalMonetaryTotal', 'PayableAmount')).toBe(prepayment ? 0n : euros(totals.inclCents));
  expect(
    root.all('TaxTotal', 'TaxSubtotal').map((each) => [each.cents('TaxableAmount'), each.cents('TaxAmount')]),
  ).toEqual(totals.groups.map(({ baseCents, vatCents }) => [euros(baseCents), euros(vatCents)]));
  const written = root.all(kind === 'invoice' ? 'InvoiceLine' : 'CreditNoteLine');
  expect(written.map((each) => each.cents('LineExtensionAmount'))).toEqual(
    lines.map(({ netCents }) => euros(netCents)),
  );
}

test.each(Object.entries(samples))('%s breaks no rule and has the figures of the invoice', async (_name, invoice) => {
  expect(eInvoiceViolations(invoice)).toEqual([]);
  const xml = renderUbl(invoice);
  expect(ublFaults(xml)).toEqual([]);
  expectSameSums(xml, invoice);
  expect(renderUbl(invoice)).toBe(xml);
});

test('any lines, any treatments, both kinds', async () => {
  const line = fc.record({
    description: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .map((text) => `x${text.replace(/\s/g, ' ')}`),
    quantity: fc.integer({ min: -2_000_000, max: 2_000_000 }).map((thousandths) => (thousandths / 1_000).toString()),
    unitPriceCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    vatTreatment: fc.constantFrom(...vatTreatments),
    unit: fc.constantFrom('', 'uur', 'stuks', 'pallet'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.constantFrom(bakery, berliner),
      async (lines, isCredit, buyer) => {
        const kind = isCredit ? { kind: 'credit_note' as const, credited: creditNote.credited } : {};
        const invoice = sampleInvoice(lines, { ...kind, buyer });
        const xml = renderUbl(invoice);
        expect(ublFaults(xml)).toEqual([]);
        expectSameSums(xml, invoice);
      },
    ),
    { numRuns: Math.min(Number(process.env['SEEDS'] ?? 40), 1_000) },
  );
});

test.each([
  ['PEPPOL-EN16931-R003', /<cbc:BuyerReference>.*?<\/cbc:BuyerReference>/, ''],
  ['PEPPOL-EN16931-R008', /<cbc:Name>Studio Noorderlicht</, '<cbc:Name><'],
  ['PEPPOL-EN16931-R010', /<cbc:EndpointID schemeID="0106">30/, '<cbc:EndpointID>30'],
  ['PEPPOL-EN16931-R120', />32.5</, '>32.6<'],
  ['BR-CO-10', /(<cbc:LineExtensionAmount currencyID="EUR">)1850.00/, '$11850.01'],
  ['BR-CO-14', /(<cbc:TaxAmount currencyID="EUR">)1089.08/, '$11089.09'],
  ['BR-CO-15', /(<cbc:TaxInclusiveAmount currencyID="EUR">)6/, '$17'],
  ['BR-CO-17', /(<cbc:TaxAmount currencyID="EUR">)40.39/, '$140.40'],
  ['BR-CO-25', /<cbc:DueDate>.*?<\/cbc:DueDate>/, ''],
  ['BR-27', /(<cbc:PriceAmount currencyID="EUR">)125.00/, '$1-125.00'],
  ['NL-R-002', /<cbc:StreetName>Prinsengracht 263<\/cbc:StreetName>/, ''],
  ['NL-R-003', /(<cbc:CompanyID schemeID=")0106(">81)/, '$10002$2'],
  ['NL-R-008', /<cbc:PaymentMeansCode>58/, '<cbc:PaymentMeansCode>1'],
])('the checker sees %s broken', async (id, what, instead) => {
  const xml = renderUbl(dutchInvoice);
  const broken = xml.replace(what, instead);
  expect(broken).not.toBe(xml);
  expect(ublFaults(broken)).toContain(id);
});

test('the order of elements is the schema’s', async () => {
  const dutch = parseUbl(renderUbl(dutchInvoice));
  expect(dutch.children.map(({ name }) => name).filter((name, index, all) => name !== all[index - 1])).toEqual([
    'CustomizationID',
    'ProfileID',
    'ID',
    'IssueDate',
    'DueDate',
    'InvoiceTypeCode',
    'DocumentCurrencyCode',
    'BuyerReference',
    'AccountingSupplierParty',
    'AccountingCustomerParty',
    'Delivery',
    'PaymentMeans',
    'TaxTotal',
    'LegalMonetaryTotal',
    'InvoiceLine',
  ]);
  expect(dutch.value('ProfileID')).toBe('urn:fdc:peppol.eu:2017:poacc:billing:01:1.0');
});

test('what was paid before says so, and names no account, means or date to pay by', async () => {
  const root = parseUbl(renderUbl(prepaidInvoice));
  expect(root.one('LegalMonetaryTotal')!.children.map(({ name, text }) => [name, text])).toEqual([
    ['LineExtensionAmount', '130.00'],
    ['TaxExclusiveAmount', '130.00'],
    ['TaxInclusiveAmount', '157.30'],
    ['PrepaidAmount', '157.30'],
    ['PayableAmount', '0.00'],
  ]);
  expect(root.value('PaymentTerms', 'Note')).toBe('Betaald op 21 november 2026 via iDEAL.');
  expect(root.one('DueDate')).toBeUndefined();
  expect(root.one('PaymentMeans')).toBeUndefined();
  expect(renderUbl(dutchInvoice)).not.toMatch(/PrepaidAmount|PaymentTerms/);
  const english = parseUbl(renderUbl(prepaidEnglishInvoice));
  expect(english.value('PaymentTerms', 'Note')).toBe('Paid on 20 November 2026 by credit card.');
});

test.each([
  ['BR-CO-16', /(<cbc:PrepaidAmount currencyID="EUR">)157.30/, '$1157.29'],
  ['BR-CO-16', /<cbc:PrepaidAmount.*?<\/cbc:PrepaidAmount>/, ''],
  ['paid, yet due', /(<\/cbc:IssueDate>)/, '$1<cbc:DueDate>2026-12-05</cbc:DueDate>'],
  ['paid, yet payable', /(<cac:PaymentTerms>)/, '<cac:PaymentMeans><cbc:ID>1</cbc:ID></cac:PaymentMeans>$1'],
])('the checker sees %s broken on a paid invoice', async (id, what, instead) => {
  const xml = renderUbl(prepaidInvoice);
  const broken = xml.replace(what, instead);
  expect(broken).not.toBe(xml);
  expect(ublFaults(broken)).toContain(id);
});

const openAfter = (entries: readonly Entry[], credits: readonly CreditApplied[] = []) => {
  const { openCents, surplusCents } = sampleAccount(dutchInvoice, entries, credits).now;
  return { openCents: openCents - surplusCents };
};
const { inclCents } = dutchInvoice.totals;
const paid = samplePayment(dutchInvoice);
const also = (type: Entry['type'], amountCents: number): Entry =>
  ({ ...paid, _id: type, type, amountCents, of: paid._id }) as Entry;
const credit = (amountCents: number) => ({ noteId: 'note', amountCents }) as CreditApplied;

test.each([
  ['sent', openAfter([]), inclCents],
  ['partly paid', openAfter([{ ...paid, amountCents: 10_000 }]), inclCents - 10_000],
  ['paid', openAfter([paid]), 0],
  ['overpaid', openAfter([paid, { ...paid, _id: 'p2', paymentId: 'tr_2' }]), 0],
  ['credited', openAfter([], [credit(inclCents)]), 0],
  ['partly credited', openAfter([], [credit(10_000)]), inclCents - 10_000],
  ['written off', openAfter([also('write_off', inclCents)]), 0],
  ['charged back', openAfter([paid, also('chargeback', inclCents)]), inclCents],
])('a copy of an invoice that is %s asks for what is open', (_state, account, openCents) => {
  const xml = renderUbl(dutchInvoice, account);
  expect(ublFaults(xml)).toEqual([]);
  const root = parseUbl(xml);
  const settled = inclCents - openCents;
  expect(root.cents('LegalMonetaryTotal', 'PayableAmount')).toBe(euros(openCents));
  expect(root.one('LegalMonetaryTotal', 'PrepaidAmount') ? root.cents('LegalMonetaryTotal', 'PrepaidAmount') : 0n).toBe(
    euros(settled),
  );
  expect(root.one('PaymentMeans') !== undefined).toBe(openCents > 0);
  expect(root.one('DueDate') !== undefined).toBe(openCents > 0);
  expect(root.value('PaymentTerms', 'Note')).toBe(openCents > 0 ? '' : 'U hoeft niets meer te betalen.');
  // The document as it was issued knows nothing of it.
  expect(xml === renderUbl(dutchInvoice)).toBe(settled === 0);
});

test('a payment from before the issue that was charged back is asked for, by the date it had', () => {
  const xml = renderUbl(prepaidInvoice, { openCents: prepaidInvoice.totals.inclCents });
  expect(ublFaults(xml)).toEqual([]);
  const root = parseUbl(xml);
  expect(root.value('LegalMonetaryTotal', 'PayableAmount')).toBe('157.30');
  expect(root.value('DueDate')).toBe(prepaidInvoice.dueDate);
  expect(root.value('PaymentMeans', 'PaymentMeansCode')).toBe('58');
});

test("without a reference of the buyer there is none: not the buyer's name, not our number", () => {
  const root = parseUbl(renderUbl(dutchInvoice));
  expect(root.value('BuyerReference')).toBe('NA');
  expect(root.one('OrderReference')).toBeUndefined();
});

test('each treatment has its category, rate and reason', async () => {
  const groups = parseUbl(renderUbl(mixedInvoice)).all('TaxTotal', 'TaxSubtotal', 'TaxCategory');
  expect(groups.map((each) => [each.value('ID'), each.value('Percent'), each.value('TaxExemptionReasonCode')])).toEqual(
    [
      ['S', '21', ''],
      ['S', '9', ''],
      ['Z', '0', ''],
      ['E', '0', ''],
      ['AE', '0', 'VATEX-EU-AE'],
      ['K', '0', 'VATEX-EU-IC'],
    ],
  );
  expect(groups[3]!.value('TaxExemptionReason')).toBe('Vrijgesteld van btw – artikel 11 Wet OB');
});

test('a credit note is a credit note that names its invoice', async () => {
  const root = parseUbl(renderUbl(creditNote));
  expect(root.name).toBe('CreditNote');
  expect(root.value('CreditNoteTypeCode')).toBe('381');
  expect(root.value('BillingReference', 'InvoiceDocumentReference', 'ID')).toBe('2026-0042');
  expect(root.value('BillingReference', 'InvoiceDocumentReference', 'IssueDate')).toBe('2026-11-21');
  expect(root.value('Note')).toBe(creditNote.reason);
});

test('a negative price goes to the quantity, also when both are negative', async () => {
  const invoice = sampleInvoice([
    { description: 'Korting', quantity: '2', unitPriceCents: -500 },
    { description: 'Terug van korting', quantity: '-1', unitPriceCents: -500 },
    { description: 'Retour', quantity: '-3', unitPriceCents: 500 },
    { description: 'Niets', quantity: '0', unitPriceCents: -500 },
  ]);
  const lines = parseUbl(renderUbl(invoice)).all('InvoiceLine');
  expect(lines.map((each) => [each.value('InvoicedQuantity'), each.value('Price', 'PriceAmount')])).toEqual([
    ['-2', '5.00'],
    ['1', '5.00'],
    ['-3', '5.00'],
    ['0', '5.00'],
  ]);
});

test('hostile texts stay texts, what XML cannot carry is left out', async () => {
  const name = 'A & B &nbsp; <cbc:ID>9</cbc:ID> ]]> "q" \u0000\u0008\ud800 <!-- x --> &amp; 🎉';
  const xml = renderUbl({
    ...dutchInvoice,
    buyer: { ...bakery, name: '</cbc:Name><evil/>', companyName: name },
    reference: '</cbc:BuyerReference><evil/>',
    lines: dutchInvoice.lines.map((line) => ({ ...line, description: '<!DOCTYPE x [<!ENTITY y "z">]>&y;\n<b>' })),
  });
  // No reference that XML does not know.
  expect(xml.match(/&(?!(amp|lt|gt|quot|#13);)/)).toBeNull();
  const root = parseUbl(xml);
  expect(root.value('AccountingCustomerParty', 'Party', 'PartyLegalEntity', 'RegistrationName')).toBe(
    'A & B &nbsp; <cbc:ID>9</cbc:ID> ]]> "q"  <!-- x --> &amp; 🎉',
  );
  expect(root.value('AccountingCustomerParty', 'Party', 'Contact', 'Name')).toBe('</cbc:Name><evil/>');
  expect(root.value('BuyerReference')).toBe('</cbc:BuyerReference><evil/>');
  expect(root.value('InvoiceLine', 'Item', 'Name')).toBe('<!DOCTYPE x [<!ENTITY y "z">]>&y;');
  expect(root.value('InvoiceLine', 'Item', 'Description')).toBe('<b>');
});

test('BIS 3 unless the organisation wishes the countries’ own rules', () => {
  const specification = (invoice: FrozenInvoice): string => parseUbl(renderUbl(invoice)).value('CustomizationID');
  const national = (invoice: FrozenInvoice): FrozenInvoice => ({ ...invoice, eInvoiceRules: 'national' });
  const bis = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
  expect(specification(dutchInvoice)).toBe(bis);
  expect(specification(national(dutchInvoice))).toBe('urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0');
  expect(specification(national(reverseChargeInvoice))).toBe(
    'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  );
  expect(specification(national({ ...dutchInvoice, buyer: { ...berliner, countryCode: 'FR' } }))).toBe(bis);
});

test('NLCIUS has no VATEX code, no reason code and no date of what is credited', () => {
  const national = { eInvoiceRules: 'national' as const };
  const exempt = renderUbl({ ...exemptInvoice, ...national });
  expect(exempt).not.toContain('TaxExemptionReasonCode');
  expect(exempt).toContain('<cbc:TaxExemptionReason>Vrijgesteld');
  const original = ['BillingReference', 'InvoiceDocumentReference', 'IssueDate'];
  expect(parseUbl(renderUbl({ ...creditNote, ...national })).value(...original)).toBe('');
  expect(parseUbl(renderUbl(creditNote)).value(...original)).toBe(dutchInvoice.issueDate);
});

test('a credit note gives back by what was agreed on; below zero it asks for a transfer, and says so', () => {
  const back = parseUbl(renderUbl(creditNote));
  expect(back.value('PaymentMeans', 'PaymentMeansCode')).toBe('57');
  expect(back.one('PaymentMeans', 'PayeeFinancialAccount')).toBeUndefined();
  const below = sampleInvoice([{ description: 'Korting', unitPriceCents: -10_000 }], {
    ...{ kind: 'credit_note', number: 'C2026-0004', credited: creditNote.credited },
  });
  const asked = parseUbl(renderUbl(below));
  expect(ublFaults(renderUbl(below))).toEqual([]);
  expect(asked.value('PaymentMeans', 'PaymentMeansCode')).toBe('58');
  expect(asked.value('PaymentMeans', 'PaymentID')).toBe('2026-0042');
  expect(asked.value('PaymentMeans', 'PayeeFinancialAccount', 'ID')).toBe(studio.iban);
  expect(asked.value('PaymentTerms', 'Note').replace(/\s/g, ' ')).toBe(
    'Deze creditnota is lager dan nul: factuur 2026-0042 wordt € 121,00 hoger. Wij vragen u dat bedrag over te maken.',
  );
});

test('the supply date only where it is known, or a rule asks for one', () => {
  const dateOf = (invoice: FrozenInvoice): string =>
    parseUbl(renderUbl(invoice)).value('Delivery', 'ActualDeliveryDate');
  expect(dateOf({ ...dutchInvoice, supplyDate: '2026-11-18' })).toBe('2026-11-18');
  expect(dateOf({ ...dutchInvoice, supplyDate: '' })).toBe('');
  expect(dateOf({ ...intraCommunityInvoice, supplyDate: '' })).toBe(intraCommunityInvoice.issueDate);
});

test('exports are category G; a seller without VAT id is outside the scope of VAT', () => {
  const category = (invoice: FrozenInvoice): string[] => {
    const found = parseUbl(renderUbl(invoice)).one('TaxTotal', 'TaxSubtotal', 'TaxCategory')!;
    return [
      found.value('ID'),
      found.value('Percent'),
      found.value('TaxExemptionReasonCode'),
      found.value('TaxExemptionReason'),
    ];
  };
  const zero = sampleInvoice([{ description: 'Boot', unitPriceCents: 100, vatTreatment: 'zero' }]);
  const to = (countryCode: string, btwId = '') => ({ ...zero, buyer: { ...berliner, countryCode, btwId } });
  expect(category(to('DE', 'DE136695976'))).toEqual(['Z', '0', '', '']);
  expect(category(to('CH'))).toEqual(['G', '0', 'VATEX-EU-G', 'Uitvoer – artikel 146 Richtlijn 2006/112/EG']);
  expect(category(to('GB', 'XI123456789'))[0]).toBe('Z');
  const outside = { ...exemptInvoice, seller: { ...studio, btwId: '' } };
  expect(category(outside).slice(0, 3)).toEqual(['O', '', 'VATEX-EU-O']);
  expect(parseUbl(renderUbl(outside)).one('AccountingCustomerParty', 'Party', 'PartyTaxScheme')).toBeUndefined();
  expect(ublFaults(renderUbl(outside))).toEqual([]);
});

test.each<[string, Partial<Party>, string | undefined, string | undefined]>([
  ['Dutch, KvK', { countryCode: 'NL', kvkNumber: '30123456' }, '0106 30123456', '0106 30123456'],
  [
    'Dutch, OIN',
    { countryCode: 'NL', kvkNumber: '00000001003214345000' },
    '0190 00000001003214345000',
    '0190 00000001003214345000',
  ],
  ['Dutch, VAT id', { countryCode: 'NL', btwId: 'NL003456789B72' }, '9944 NL003456789B72', undefined],
  ['Belgian, register', { countryCode: 'BE', kvkNumber: '0202.239.951' }, '0208 0202239951', '0208 0202239951'],
  ['Belgian, VAT id', { countryCode: 'BE', btwId: 'BE0202239951' }, '0208 0202239951', undefined],
  ['Belgian, wrong check digits', { countryCode: 'BE', btwId: 'BE0202239952' }, '9925 BE0202239952', undefined],
  ['Finnish', { countryCode: 'FI', btwId: 'FI20774740' }, '0216 003720774740', undefined],
  ['Swedish', { countryCode: 'SE', btwId: 'SE556012579001' }, '0007 5560125790', undefined],
  ['Swedish, wrong check digit', { countryCode: 'SE', btwId: 'SE556012579101' }, undefined, undefined],
  ['Italian', { countryCode: 'IT', btwId: 'IT00743110157' }, '0211 IT00743110157', undefined],
  ['Italian, wrong check digit', { countryCode: 'IT', btwId: 'IT00743110158' }, undefined, undefined],
  ['Norwegian', { countryCode: 'NO', kvkNumber: 'NO 974 760 673 MVA' }, '0192 974760673', '0192 974760673'],
  ['Danish', { countryCode: 'DK', btwId: 'DK13585628' }, '0184 DK13585628', undefined],
  ['Greek', { countryCode: 'GR', btwId: 'GR 123456789' }, '9933 EL123456789', undefined],
  [
    'German, with a register number',
    { countryCode: 'DE', btwId: 'DE136695976', kvkNumber: 'HRB 123' },
    '9930 DE136695976',
    'undefined HRB123',
  ],
  ['American', { countryCode: 'US', kvkNumber: '12-345' }, undefined, 'undefined 12345'],
])('%s: electronic address %#', (_what, changes, endpoint, legalId) => {
  const party = { ...bakery, btwId: '', kvkNumber: '', ...changes };
  const written = (id: SchemedId | undefined): string | undefined => id && `${id.scheme} ${id.id}`;
  expect(written(endpointOf(party))).toBe(endpoint);
  expect(written(legalIdOf(party))).toBe(legalId);
});
