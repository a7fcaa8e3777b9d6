import fc from 'fast-check';
import {
  compactIban,
  compactVatId,
  countryCodes,
  isBic,
  isCountryCode,
  isCurrency,
  isEmailAddress,
  isIban,
  isKvkNumber,
  isOin,
  isPrintable,
  isTimeZone,
  isUuid,
  isVatId,
  registerNumberWarnings,
  storedRegisterNumber,
  textFault,
  textMessage,
} from './index';

/** Each rule with texts that fit and texts that do not. */
const vectors: [string, (text: string) => boolean, fits: string[], refused: string[]][] = [
  [
    'uuid',
    isUuid,
    ['0f8fad5b-d9cb-469f-a165-70867728950e', '00000000-0000-0000-0000-000000000000'],
    [
      '',
      '0F8FAD5B-D9CB-469F-A165-70867728950E',
      '0f8fad5bd9cb469fa16570867728950e',
      '0f8fad5b-d9cb-469f-a165-7086772895',
      ' 0f8fad5b-d9cb-469f-a165-70867728950e',
      '0f8fad5b-d9cb-469f-a165-70867728950e\n',
      '{0f8fad5b-d9cb-469f-a165-70867728950e}',
      'gf8fad5b-d9cb-469f-a165-70867728950e',
    ],
  ],
  [
    'e-mail address',
    isEmailAddress,
    [
      'a@b.nl',
      'a+b@sub.example.com',
      'jan.de.boer+x@example.co.uk',
      "o'brien@example.com",
      'jörg@müller.de',
      'jürgen@bücher.example',
      'संपर्क@उदाहरण.भारत',
      'x@xn--bcher-kva.example',
      'a@1.2.3.nl',
      `${'a'.repeat(64)}@b.nl`,
    ],
    [
      '',
      'a',
      '@b.nl',
      'a@',
      'a@b',
      'a..b@example.nl',
      '.a@b.nl',
      'a.@b.nl',
      'a@b..nl',
      'a@.b.nl',
      'a@b.nl.',
      'a@-b.nl',
      'a@b-.nl',
      'a b@c.nl',
      'a@b c.nl',
      '"a b"@c.nl',
      '"a"@b.nl',
      'a@b@c.nl',
      '<a@b.nl>',
      'A <a@b.nl>',
      'a@b.nl,c@d.nl',
      'a@b.nl, c@d.nl',
      'a@b.nl; c@d.nl',
      'a(x)@b.nl',
      'a@[127.0.0.1]',
      'a@127.0.0.1',
      'a@b.nl\n',
      'a@b.nl\r\nBcc: c@d.nl',
      'a@b.nl>\u0000',
      'a\u00a0b@c.nl',
      `${'a'.repeat(65)}@b.nl`,
      `a@${'b'.repeat(64)}.nl`,
      `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}`,
    ],
  ],
  [
    'country',
    isCountryCode,
    ['NL', 'BE', 'GR', 'GB'],
    ['', 'nl', 'EU', 'UN', 'SU', 'UK', 'EL', 'XI', 'XK', 'ZZ', 'NLD'],
  ],
  [
    'VAT id',
    isVatId,
    [
      'NL001234567B01',
      'NL853746333B01',
      'BE0123456789',
      'BE0411905847',
      'DE123456789',
      'FR12345678901',
      'EL123456789',
      'CHE123456789',
      'CHE123456789MWST',
      'US1234',
    ],
    [
      '',
      'NL123456789',
      'NL001234567X01',
      'nl001234567b01',
      'NL 001234567B01',
      'DE12',
      'DE12345678',
      'XX',
      '12345',
      '-.',
    ],
  ],
  [
    'KvK number',
    isKvkNumber,
    ['12345678', '00000000'],
    ['', '1234567', '123456789', '1234 5678', 'HRB 1', '12345678\n'],
  ],
  ['OIN', isOin, ['00000001002564440000'], ['', '0000000100256444000', '00000001002564440000 ', '12345678']],
  [
    'IBAN',
    isIban,
    ['NL91ABNA0417164300', 'DE89370400440532013000', 'BE68539007547034'],
    ['', 'NL91ABNA0417164301', 'NL91 ABNA 0417 1643 00', 'nl91abna0417164300', 'XX91ABNA0417164300'],
  ],
  ['BIC', isBic, ['ABNANL2A', 'ABNANL2AXXX'], ['', 'X', 'ABNANL2', 'abnanl2a', 'ABNANL2AXX']],
  ['currency', isCurrency, ['EUR'], ['', 'eur', 'USD', '€']],
  [
    'time zone',
    isTimeZone,
    ['UTC', 'Europe/Amsterdam', 'Europe/Kyiv', 'Europe/Kiev', 'America/Argentina/Buenos_Aires'],
    ['', 'Mars/Olympus', '+01:00', 'CET', 'Europe/Amsterdam '],
  ],
];

test.each(vectors)('%s', (_name, rule, fits, refused) => {
  expect({ fits: fits.filter((each) => !rule(each)), refused: refused.filter(rule) }).toEqual({
    fits: [],
    refused: [],
  });
});

test('there are 249 countries, each of two capital letters and once', () => {
  expect(new Set(countryCodes).size).toBe(249);
  expect(countryCodes.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
});

test('identifiers have one stored form', () => {
  expect(compactVatId(' nl0012.34.567-b01 ')).toBe('NL001234567B01');
  expect(compactIban('nl91 abna 0417 1643 00')).toBe('NL91ABNA0417164300');
  expect(storedRegisterNumber(' 1234 5678', undefined)).toBe('12345678');
  expect(storedRegisterNumber('1234.5678', 'NL')).toBe('12345678');
  expect(storedRegisterNumber('0000 0001 0025 6444 0000', 'NL')).toBe('00000001002564440000');
  expect(storedRegisterNumber('HRB 12.345 ', 'NL')).toBe('HRB 12.345');
  expect(storedRegisterNumber('12.345.678', 'DE')).toBe('12.345.678');
});

test('a register number of another form is kept, with a warning in the Netherlands only', () => {
  const warned = (kvkNumber: string | undefined, countryCode?: string) =>
    registerNumberWarnings({ kvkNumber, countryCode }).map(({ code, field }) => `${code} ${field}`);
  for (const fine of ['12345678', '1234.5678', '', ' ', undefined]) expect(warned(fine, 'NL')).toEqual([]);
  for (const country of ['NL', ' nl ', undefined, ''])
    expect(warned('HRB 12345', country)).toEqual(['not_a_kvk_number /kvkNumber']);
  expect(warned('HRB 12345', 'DE')).toEqual([]);
});

test('what an address generator makes is an address', () => {
  fc.assert(fc.property(fc.emailAddress(), (address) => isEmailAddress(address)));
});

describe('text', () => {
  test('is counted in characters', () => {
    expect(textFault('😀'.repeat(10), { max: 10 })).toBeUndefined();
    expect(textFault('😀'.repeat(11), { max: 10 })).toBe('too_long');
    expect(textMessage('aaa', { max: 2 })).toBe('must be at most 2 characters');
  });

  test.each(['\u0000', '\u0007', '\u0085', '\u009f', '\u001b', '\u007f', '\uFFFE', '\uFFFF', '\ud800'])(
    '%j is nowhere',
    (character) => {
      for (const multiline of [false, true])
        expect(textFault(`a${character}b`, { max: 9, multiline })).toBe('unprintable');
    },
  );

  test.each(['\n', '\r', '\t', '\u2028', '\u2029'])('%j is in a text of several lines only', (character) => {
    expect(isPrintable(`a${character}b`)).toBe(false);
    expect(isPrintable(`a${character}b`, true)).toBe(true);
    expect(textMessage(`a${character}b`, { max: 9 })).toBe('must not contain control characters');
  });

  test('what people write is printable', () => {
    expect(isPrintable('Žofie 𝄞 "<script>" O\'Neill — 東京')).toBe(true);
  });
});
