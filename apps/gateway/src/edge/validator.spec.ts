import { customerInput } from '../schemas/customer';
import { invoiceInput } from '../schemas/invoice';
import { compileValidator } from './validator';

const invoice = compileValidator(invoiceInput);
const customerId = '0f8fad5b-d9cb-469f-a165-70867728950e';

test('all that is wrong comes at once, each with its place and a sentence', () => {
  const body = {
    lines: [
      { quantity: 'x', unitPriceCents: 1.5 },
      { vatTreatment: 'high', productId: 'p', discount: 1 },
    ],
    issueDate: '2026-02-30',
    send: 'yes',
  };
  expect(invoice(body)).toEqual([
    { path: '/customerId', message: 'is required' },
    { path: '/lines/0/quantity', message: 'must be a number' },
    { path: '/lines/0/unitPriceCents', message: 'must be an integer' },
    { path: '/lines/1/discount', message: 'is not a known field' },
    {
      path: '/lines/1/vatTreatment',
      message: 'must be one of standard_21, reduced_9, zero, exempt, reverse_charge, intra_community',
    },
    { path: '/lines/1/productId', message: 'must be a UUID' },
    { path: '/issueDate', message: 'must be an existing date as YYYY-MM-DD' },
    { path: '/send', message: 'must be a boolean' },
  ]);
});

test('quantities have at most 6 decimals, exactly', () => {
  const quantity = (value: number) => invoice({ customerId, lines: [{ quantity: value, unitPriceCents: 1 }] });
  for (const good of [1, 0.1, 1.005, 0.000001, 1e-6, -2.5, 123456789.123456, 1e9]) expect(quantity(good)).toEqual([]);
  for (const bad of [1e-7, 0.1234567, 1.0000001]) {
    expect(quantity(bad)).toEqual([{ path: '/lines/0/quantity', message: 'must have at most 6 decimals' }]);
  }
  for (const bad of [1e9 + 1, -1e21, Infinity, NaN]) expect(quantity(bad).length).toBeGreaterThan(0);
});

test('cents are whole and safe', () => {
  const price = (unitPriceCents: number) => invoice({ customerId, lines: [{ unitPriceCents }] });
  for (const good of [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) expect(price(good)).toEqual([]);
  for (const bad of [2 ** 53, -(2 ** 53), 0.5, 1e300]) expect(price(bad).length).toBeGreaterThan(0);
});

test('dates exist', () => {
  const on = (issueDate: string) => invoice({ customerId, lines: [{}], issueDate });
  for (const good of ['2024-02-29', '2026-12-31', '1900-01-01', '9999-12-31']) expect(on(good)).toEqual([]);
  for (const bad of ['2026-02-29', '2026-13-01', '2026-00-10', '0000-01-01', '2026-1-1', '2026-01-01T00:00:00Z', ''])
    expect(on(bad)).toHaveLength(1);
});

test('a name is one line that says something; what is optional may be blank', () => {
  const customer = compileValidator(customerInput);
  expect(customer({ name: 'Jan', city: '', email: '', countryCode: '' })).toEqual([]);
  for (const name of ['', '   ', 'a\nb', 'x'.repeat(201)])
    expect(customer({ name }).map(({ path }) => path)).toContain('/name');
  expect(customer({ name: 'Jan', email: 'jan@a\r\nBcc: x@y' })).toHaveLength(1);
});

test('the number of violations is bounded', () => {
  const lines = Array.from({ length: 3_000 }, () => ({ quantity: 'x' }));
  expect(invoice({ customerId, lines })).toHaveLength(1_000);
});

test('the text of all lines is bounded together, in bytes', () => {
  const lines = (description: string, count: number) => ({
    customerId,
    lines: Array.from({ length: count }, () => ({ description })),
  });
  expect(invoice(lines('x'.repeat(2_000), 65))).toEqual([]);
  const refused = [{ path: '/lines', message: 'must have at most 131072 bytes of text together' }];
  expect(invoice(lines('x'.repeat(2_000), 66))).toEqual(refused);
  expect(invoice(lines('€'.repeat(2_000), 22))).toEqual(refused);
});
