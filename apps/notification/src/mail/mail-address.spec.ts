import { isMailAddress, parseMailFrom } from './mail-address';

test.each(['a@b', 'jan.de.boer+x@example.co.uk', "o'brien@example.com", 'jürgen@bücher.example'])(
  '%s is one',
  (text) => {
    expect(isMailAddress(text)).toBe(true);
  },
);

test.each([
  '',
  'a',
  '@b.nl',
  'a@',
  'a@b.nl\r\nBcc: c@d.nl',
  'a@b.nl, c@d.nl',
  'a@b.nl; c@d.nl',
  '<a@b.nl>',
  'A <a@b.nl>',
  'a b@c.nl',
  '"a b"@c.nl',
  'a@b..nl',
  '.a@b.nl',
  'a@-b.nl',
  'a@b.nl>\u0000',
  `${'a'.repeat(250)}@b.nl`,
  'a@[127.0.0.1]',
  'a@b@c.nl',
])('%j is not', (text) => {
  expect(isMailAddress(text)).toBe(false);
});

test('MAIL_FROM is an address, with or without a name', () => {
  expect(parseMailFrom('Facturen <f@example.com>')).toEqual({ name: 'Facturen', address: 'f@example.com' });
  expect(parseMailFrom('"Facturen, enz." <f@example.com>')).toEqual({
    name: 'Facturen, enz.',
    address: 'f@example.com',
  });
  expect(parseMailFrom(' f@example.com ')).toEqual({ name: '', address: 'f@example.com' });
  expect(parseMailFrom('not an address')).toBeUndefined();
});
