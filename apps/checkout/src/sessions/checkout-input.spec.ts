import { checkCheckoutInput, type CheckoutInput } from './checkout-input';
import { redirectTarget, redirectUrlFault } from './redirect-url';

const input = (changes: Partial<CheckoutInput> = {}): CheckoutInput => ({
  organizationId: 'o',
  profileId: null,
  title: 'Workshop',
  terms: {},
  customer: {},
  redirectUrl: null,
  methods: [],
  expiresInHours: 72,
  ...changes,
});
const paths = (changes: Partial<CheckoutInput>) =>
  (checkCheckoutInput(input(changes), true).violations ?? []).map(({ path }) => path);

test('what fits is accepted', () => {
  expect(paths({ methods: ['ideal', 'gift_card', 'in3'], expiresInHours: 720 })).toEqual([]);
  expect(paths({ title: '<b>html is text</b> & łő€', redirectUrl: 'https://shop.example/?a=1#b' })).toEqual([]);
});

test('everything that is wrong is told at once, by its place in the body', () => {
  const wrong = {
    title: ' ',
    redirectUrl: 'javascript:alert(1)',
    methods: ['ideal', 'no spaces', 'ideal', '../x', '{"$gt":1}'],
    expiresInHours: 721,
    customer: { email: 'a@b', countryCode: 'ZZ', btwId: 'NL12', city: 'a\nb' },
  };
  expect(paths(wrong).sort()).toEqual(
    [
      '/title',
      '/expiresInHours',
      '/redirectUrl',
      '/methods/1',
      '/methods/2',
      '/methods/3',
      '/methods/4',
      '/customer/email',
      '/customer/countryCode',
      '/customer/btwId',
      '/customer/city',
    ].sort(),
  );
});

test('what is known of the payer takes its stored form', () => {
  const customer = { email: ' a@b.nl ', countryCode: 'be', btwId: 'be 0123.456.789', kvkNumber: 'any form', name: '' };
  expect(checkCheckoutInput(input({ customer }), true).value?.customer).toEqual({
    email: 'a@b.nl',
    countryCode: 'BE',
    btwId: 'BE0123456789',
    kvkNumber: 'any form',
  });
});

test.each([0, -1, 1.5, 721, Number.NaN])('%p hours are refused', (expiresInHours) => {
  expect(paths({ expiresInHours })).toEqual(['/expiresInHours']);
});

test.each([
  'https://shop.example/thanks',
  'HTTPS://SHOP.EXAMPLE',
  'https://shop.example:8443/a?b=c#d',
  'http://localhost:3000/x',
  'http://127.0.0.1/x',
  'http://[::1]:80/x',
])('%s may be gone to', (url) => {
  expect(redirectUrlFault(url, true)).toBeUndefined();
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '//shop.example/x',
  '/x',
  'shop.example',
  '',
  'ftp://shop.example',
  'http://shop.example',
  'http://127.0.0.1.evil.example/',
  'http://localhost.evil.example/',
  'http://10.0.0.1/',
  'https://user@shop.example/',
  'https://user:pass@shop.example/',
  'https://:pass@shop.example/',
  'https://shop.example/\r\nSet-Cookie: a=b',
  'https://shop.example/\tx',
  ' https://shop.example/',
  'https:\\\\shop.example',
  'https://',
  `https://shop.example/${'x'.repeat(2_000)}`,
])('%s may not be gone to', (url) => {
  expect(redirectUrlFault(url, true)).toBeDefined();
});

test('http to this machine needs the leave of the operator', () => {
  expect(redirectUrlFault('http://127.0.0.1:3000/', false)).toBeDefined();
  expect(redirectUrlFault('https://127.0.0.1:3000/', false)).toBeUndefined();
});

test('the redirect address keeps its own parameters, and its status cannot be overwritten', () => {
  expect(redirectTarget('https://shop.example/t?status=failed&x=1&checkout=9#y', 'id')).toBe(
    'https://shop.example/t?status=paid&x=1&checkout=id#y',
  );
});
