import fc from 'fast-check';
import { type AppError } from '@invoicing/errors';
import { checkCustomer, emailKey, type GivenDetails } from './customer';

const pathsRefused = (given: GivenDetails): string[] => {
  try {
    checkCustomer(given);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ kind: 'invalid', code: 'validation' });
    return (error as AppError).details!.map(({ path }) => path);
  }
};

test('a name is enough', () => {
  expect(checkCustomer({ name: 'Jansen' })).toEqual({ name: 'Jansen' });
});

test('identifiers are stored in one form', () => {
  expect(
    checkCustomer({
      name: 'Jansen BV',
      email: ' Boek@Jansen.nl ',
      countryCode: 'nl',
      btwId: 'nl0012.34.567 b01',
      kvkNumber: '1234 5678',
    }),
  ).toMatchObject({ email: 'Boek@Jansen.nl', countryCode: 'NL', btwId: 'NL001234567B01', kvkNumber: '12345678' });
  expect(emailKey('Boek@Jansen.nl')).toBe('boek@jansen.nl');
});

test('a blank optional field is an absent one', () => {
  expect(checkCustomer({ name: 'Jansen', email: '', city: '  ', btwId: '' })).toEqual({ name: 'Jansen' });
});

test('documents can be in one of four languages', () => {
  expect(checkCustomer({ name: 'Jansen', language: 'fr' })).toEqual({ name: 'Jansen', language: 'fr' });
  for (const language of ['', undefined])
    expect(checkCustomer({ name: 'Jansen', language })).toEqual({ name: 'Jansen' });
  for (const language of ['es', 'NL', 'nl ']) expect(pathsRefused({ name: 'x', language })).toEqual(['/language']);
});

test('everything that is wrong is said at once', () => {
  expect(
    pathsRefused({
      name: ' ',
      email: 'nobody',
      countryCode: 'XX',
      btwId: 'NL12',
      city: 'x'.repeat(101),
      language: 'Dutch',
    }),
  ).toEqual(['/name', '/email', '/city', '/countryCode', '/btwId', '/language']);
});

test.each([
  ['DE123456789', true],
  ['BE0123456789', true],
  ['CHE123456789MWST', true],
  ['US1234', true],
  ['NL123456789', false],
  ['DE12', false],
  ['12345', false],
  ['-.', false],
])('btw-id %s fits: %s', (btwId, fits) => {
  expect(pathsRefused({ name: 'x', btwId })).toEqual(fits ? [] : ['/btwId']);
});

test.each(['a@b.nl', 'a+b@sub.example.com', 'jörg@müller.de'])('e-mail %s fits', (email) => {
  expect(pathsRefused({ name: 'x', email })).toEqual([]);
});

test.each(['a@b', 'a..b@example.nl', '@b.nl', 'a b@c.nl', 'a@b..nl', 'a@b.nl,c@d.nl', '"a"@b.nl', '<a@b.nl>'])(
  'e-mail %s is refused',
  (email) => {
    expect(pathsRefused({ name: 'x', email })).toEqual(['/email']);
  },
);

test('a register has numbers of its own form', () => {
  for (const countryCode of [undefined, 'NL', 'DE'])
    expect(checkCustomer({ name: 'x', countryCode, kvkNumber: 'HRB 12345' }).kvkNumber).toBe('HRB 12345');
});

test('no field takes control characters or endless text', () => {
  const field = fc.constantFrom('name', 'companyName', 'addressLine1', 'postalCode', 'city', 'externalId');
  const bad = fc.oneof(
    fc.constantFrom('\u0000', '\n', '\r', '\u2028', '\uFFFE', '\u007f').map((each) => `a${each}b`),
    fc.integer({ min: 201, max: 1000 }).map((length) => 'a'.repeat(length)),
  );
  fc.assert(
    fc.property(field, bad, (name, value) => {
      expect(pathsRefused({ name: 'x', [name]: value })).toEqual([`/${name}`]);
    }),
  );
});

test('what was checked once fits again, unchanged', () => {
  const text = fc.option(fc.string({ maxLength: 30, unit: 'grapheme' }), { nil: undefined });
  const given = fc.record({
    name: fc.string({ minLength: 1, maxLength: 30 }),
    email: fc.option(fc.emailAddress(), { nil: undefined }),
    companyName: text,
    city: text,
    countryCode: fc.constantFrom(undefined, 'nl', 'DE', 'be'),
    kvkNumber: fc.constantFrom(undefined, '12345678', '1234.5678'),
    btwId: fc.constantFrom(undefined, 'NL001234567B01', 'be 0123.456.789'),
  });
  fc.assert(
    fc.property(given, (details) => {
      if (pathsRefused(details).length > 0) return;
      const once = checkCustomer(details);
      expect(checkCustomer(once)).toEqual(once);
    }),
  );
});
