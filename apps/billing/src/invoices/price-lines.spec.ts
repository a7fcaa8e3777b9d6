import { priceLines, type LineInput, type Product } from './price-lines';

const product: Product = { id: 'p1', name: 'Brood', unitPriceCents: 250, vatRateBps: 900, unit: 'stuk' };
const products = new Map([
  [product.id, product],
  ['p2', { ...product, id: 'p2', vatRateBps: undefined }],
  ['p3', { ...product, id: 'p3', vatRateBps: 600 }],
]);

function price(...inputs: LineInput[]) {
  const { value, violations = [] } = priceLines(inputs, products);
  return { ...value, violations };
}

test('a line takes from its product what it leaves out', () => {
  expect(price({ productId: 'p1' }).lines).toEqual([
    {
      description: 'Brood',
      quantity: '1',
      unitPriceCents: 250,
      vatTreatment: 'reduced_9',
      productId: 'p1',
      netCents: 250,
      unit: 'stuk',
    },
  ]);
});

test('what a line says itself wins', () => {
  const input = {
    productId: 'p1',
    description: ' Taart ',
    quantity: '2',
    unitPriceCents: 0,
    vatTreatment: 'zero',
  } as const;
  expect(price(input).lines).toMatchObject([
    { description: 'Taart', quantity: '2', unitPriceCents: 0, vatTreatment: 'zero', netCents: 0 },
  ]);
});

test('without a product: Regel, 1 and standard_21', () => {
  expect(price({ unitPriceCents: 100 }).lines).toMatchObject([
    { description: 'Regel', quantity: '1', vatTreatment: 'standard_21', productId: null, unit: '' },
  ]);
  expect(price({ unitPriceCents: 100, description: '  ' }).lines).toMatchObject([{ description: 'Regel' }]);
  expect(price({ productId: 'p2' }).lines).toMatchObject([{ vatTreatment: 'standard_21' }]);
});

test('every fault of every line is said at once, with its place', () => {
  const { violations, ...nothing } = price(
    { quantity: 'x' },
    { unitPriceCents: 1.5, vatTreatment: 'unknown' },
    { productId: 'elsewhere' },
    { productId: 'p3' },
    { unitPriceCents: 1, description: 'a'.repeat(2_001) },
    { unitPriceCents: 1, description: 'a\u0000b' },
    { unitPriceCents: 9e15, quantity: '2' },
    { unitPriceCents: 1 },
  );
  expect(violations.map(({ path }) => path)).toEqual([
    '/lines/0/quantity',
    '/lines/0/unitPriceCents',
    '/lines/1/unitPriceCents',
    '/lines/1/vatTreatment',
    '/lines/2/productId',
    '/lines/3/vatTreatment',
    '/lines/4/description',
    '/lines/5/description',
    '/lines/6',
  ]);
  expect(nothing).toEqual({});
});

test('0 and 501 lines are refused, 500 are not', () => {
  const many = (count: number) => price(...Array.from({ length: count }, () => ({ unitPriceCents: 1 })));
  expect(many(0).violations).toEqual([{ path: '/lines', message: 'must have 1 to 500 lines' }]);
  expect(many(501).violations).toHaveLength(1);
  expect(many(500)).toMatchObject({ violations: [], totals: { exclCents: 500, vatCents: 105 } });
});

test('lines that fit with a sum that does not', () => {
  const large = { unitPriceCents: Number.MAX_SAFE_INTEGER, vatTreatment: 'zero' } as const;
  expect(price(large, large).violations).toEqual([{ path: '/lines', message: 'the totals are too large' }]);
});

test('emoji, right-to-left text and markup are text', () => {
  const description = '👩‍👩‍👧 חשבונית <script>alert(1)</script>\nregel twee';
  expect(price({ unitPriceCents: 1, description })).toMatchObject({ violations: [], lines: [{ description }] });
  expect(price({ unitPriceCents: 1, description: '😀'.repeat(2_000) }).violations).toEqual([]);
});
