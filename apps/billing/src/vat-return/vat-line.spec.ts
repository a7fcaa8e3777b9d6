import { madeUpBooks, SELLER } from '../exports/testing/made-up-books';
import type { VatTreatment } from '../invoices/invoice';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { inFavour, VatFold } from './vat-figures';
import { vatLines } from './vat-line';

const { document } = [...madeUpBooks({ organizationId: 'o', documents: 1 })][0]!;

/** A document of 100.00 and what VAT there is of it. */
function sold(
  vatTreatment: VatTreatment,
  buyer: Partial<IssuedInvoice['buyer']>,
  kind: IssuedInvoice['kind'] = 'invoice',
) {
  const rateBps = vatTreatment === 'standard_21' ? 2100 : vatTreatment === 'reduced_9' ? 900 : 0;
  const groups = [{ vatTreatment, rateBps, baseCents: 10_000, vatCents: rateBps }];
  const totals = { exclCents: 10_000, vatCents: rateBps, inclCents: 10_000 + rateBps, groups };
  const lines = [{ ...document.lines[0]!, vatTreatment }];
  const nobody = { ...document.buyer, companyName: '', btwId: '', kvkNumber: '', countryCode: 'NL' };
  return { ...document, kind, lines, totals, seller: SELLER, buyer: { ...nobody, ...buyer } };
}

test.each([
  ['standard_21', {}, '1a', undefined],
  ['reduced_9', {}, '1b', undefined],
  ['zero', {}, '1e', undefined],
  ['zero', { countryCode: 'US' }, '3a', undefined],
  ['zero', { countryCode: 'DE' }, '1e', undefined],
  ['reverse_charge', { btwId: 'NL004495445B01' }, '1e', undefined],
  ['reverse_charge', { countryCode: 'DE', btwId: 'DE136695976' }, '3b', 'services'],
  ['reverse_charge', { countryCode: 'US', companyName: 'Inc.' }, '1e', undefined],
  ['intra_community', { countryCode: 'DE', btwId: 'DE136695976' }, '3b', 'goods'],
  ['exempt', {}, 'exempt', undefined],
] as const)('%s to %j belongs in %s', (treatment, buyer, box, supply) => {
  const [line] = vatLines(sold(treatment, buyer));
  expect(line).toMatchObject({ box, baseCents: 10_000 });
  expect(line?.supply).toBe(supply);
});

test('VAT of a private person in another member state is for OSS too; of a business, or at home, it is not', () => {
  const isOss = (buyer: Partial<IssuedInvoice['buyer']>) => vatLines(sold('standard_21', buyer))[0]?.oss;
  expect(isOss({ countryCode: 'BE' })).toBe(true);
  expect(isOss({ countryCode: 'BE', btwId: 'BE0123456749' })).toBe(false);
  expect(isOss({})).toBe(false);
  expect(isOss({ countryCode: 'US' })).toBe(false);
});

test('a credit note takes off what its invoice added', () => {
  const fold = new VatFold();
  for (const kind of ['invoice', 'credit_note'] as const)
    for (const line of vatLines(sold('standard_21', { countryCode: 'BE' }, kind))) fold.add(line);
  const { boxes, vatCents, oss } = fold.figures();
  expect(boxes[0]).toMatchObject({ box: '1a', baseCents: 0, vatCents: 0 });
  expect(vatCents).toBe(0);
  expect(oss).toEqual([expect.objectContaining({ countryCode: 'BE', rateBps: 2100, baseCents: 0, vatCents: 0 })]);
});

test('goods and services to one business stand apart, under its VAT id', () => {
  const fold = new VatFold();
  const buyer = { countryCode: 'DE', btwId: 'DE136695976', companyName: 'Müller' };
  for (const treatment of ['intra_community', 'reverse_charge', 'reverse_charge'] as const)
    for (const line of vatLines(sold(treatment, buyer))) fold.add(line);
  expect(fold.figures().icp).toEqual([
    { countryCode: 'DE', vatId: 'DE136695976', name: 'Müller', goodsCents: 10_000, servicesCents: 20_000 },
  ]);
});

test('a document with a warning is counted as one', () => {
  const fold = new VatFold();
  for (const line of vatLines(sold('intra_community', {}))) fold.add(line);
  const box = fold.figures().boxes.find((each) => each.box === '3b');
  expect(box).toMatchObject({ documents: 1, documentsWithWarnings: 1 });
  expect(fold.figures().icp).toEqual([expect.objectContaining({ vatId: '' })]);
});

test.each([
  [12_399, 123],
  [12_300, 123],
  [-1, -1],
  [-12_301, -124],
  [0, 0],
])('%i cents are %i whole euros in the taxpayer’s favour', (cents, euros) => expect(inFavour(cents)).toBe(euros));

test('the boxes hold all turnover and all VAT of the documents, to the cent', () => {
  const fold = new VatFold();
  let [base, vat] = [0, 0];
  for (const { document: each } of madeUpBooks({ organizationId: 'o', documents: 2_000 })) {
    const sign = each.kind === 'invoice' ? 1 : -1;
    base += sign * each.totals.exclCents;
    vat += sign * each.totals.vatCents;
    vatLines(each).forEach((line) => fold.add(line));
  }
  const { boxes, vatCents } = fold.figures();
  expect(boxes.reduce((sum, { baseCents }) => sum + baseCents, 0)).toBe(base);
  expect(vatCents).toBe(vat);
});
