import { parseMailFrom } from './mail-address';

test('MAIL_FROM is an address, with or without a name', () => {
  expect(parseMailFrom('Facturen <f@example.com>')).toEqual({ name: 'Facturen', address: 'f@example.com' });
  expect(parseMailFrom('"Facturen, enz." <f@example.com>')).toEqual({
    name: 'Facturen, enz.',
    address: 'f@example.com',
  });
  expect(parseMailFrom(' f@example.com ')).toEqual({ name: '', address: 'f@example.com' });
  expect(parseMailFrom('invoices@localhost')).toEqual({ name: '', address: 'invoices@localhost' });
  expect(parseMailFrom('a..b@localhost')).toBeUndefined();
  expect(parseMailFrom('not an address')).toBeUndefined();
});
