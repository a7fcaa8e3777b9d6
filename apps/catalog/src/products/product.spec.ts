import { checkProduct, type ProductDetails } from './product';

const refused = (given: ProductDetails) => {
  try {
    checkProduct(given);
    return [];
  } catch (error) {
    return (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
};

test('a name and a price are enough', () => {
  expect(checkProduct({ name: 'Uur', unitPriceCents: 9500 })).toEqual({ name: 'Uur', unitPriceCents: 9500 });
});

test('a price may be zero or negative, and as large as a safe integer', () => {
  for (const unitPriceCents of [0, -500, Number.MAX_SAFE_INTEGER])
    expect(refused({ name: 'x', unitPriceCents })).toEqual([]);
});

test.each([2100, 900, 0])('%d basis points is a Dutch rate', (vatRateBps) => {
  expect(refused({ name: 'x', unitPriceCents: 1, vatRateBps })).toEqual([]);
});

test('everything that is wrong is said at once', () => {
  expect(refused({ name: '', unitPriceCents: 1.5, vatRateBps: 10_001, unit: 'x'.repeat(51), sku: 'a\u0000b' })).toEqual(
    ['/name', '/unitPriceCents', '/vatRateBps', '/unit', '/sku'],
  );
});
