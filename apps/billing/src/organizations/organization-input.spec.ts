import { checkProfile, readDetails, type ProfileInput } from './organization-input';

function details(given: Parameters<typeof readDetails>[0]) {
  const { value: read, violations = [] } = readDetails(given);
  return { read, paths: violations.map(({ path }) => path) };
}

test('what is given is kept in one form, what is not given is left alone', () => {
  expect(
    details({
      name: ' Bakkerij De Zon ',
      kvkNumber: '12345678',
      btwId: 'nl 0012.34567.b01',
      iban: 'nl91 abna 0417 1643 00',
      bic: 'abnanl2a',
      countryCode: 'nl',
      email: undefined,
    }),
  ).toEqual({
    paths: [],
    read: {
      name: 'Bakkerij De Zon',
      kvkNumber: '12345678',
      btwId: 'NL001234567B01',
      iban: 'NL91ABNA0417164300',
      bic: 'ABNANL2A',
      countryCode: 'NL',
    },
  });
});

test('every fault is said at once', () => {
  const { paths } = details({
    name: '',
    kvkNumber: 'x'.repeat(31),
    btwId: 'NL123',
    iban: 'NL91ABNA0417164301',
    bic: 'X',
    countryCode: 'EU',
    email: 'a..b@example.nl',
    timezone: 'Mars/Olympus',
    city: 'a\nb',
    addressLine1: 'x'.repeat(201),
  });
  expect(paths.sort()).toEqual(
    [
      '/addressLine1',
      '/bic',
      '/btwId',
      '/city',
      '/countryCode',
      '/email',
      '/iban',
      '/kvkNumber',
      '/name',
      '/timezone',
    ].sort(),
  );
});

test('a register number is never refused for its form', () => {
  expect(details({ kvkNumber: '1234 5678' }).read).toEqual({ kvkNumber: '12345678' });
  expect(details({ kvkNumber: 'HRB 12345' })).toEqual({ paths: [], read: { kvkNumber: 'HRB 12345' } });
});

test('an empty value clears a field', () => {
  expect(details({ iban: '', btwId: '', email: '' })).toEqual({ paths: [], read: { iban: '', btwId: '', email: '' } });
});

test.each(['NL853746333B01', 'BE0411905847', 'DE123456789', 'EL123456789', 'CHE123456789'])(
  '%s is a VAT id',
  (btwId) => {
    expect(details({ btwId }).paths).toEqual([]);
  },
);

test.each(['UTC', 'Europe/Amsterdam', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires'])('%s is a zone', (timezone) => {
  expect(details({ timezone }).paths).toEqual([]);
});

test('an e-mail address cannot carry a header', () => {
  expect(details({ email: 'a@example.com\r\nBcc: b@example.com' }).paths).toEqual(['/email']);
});

describe('profiles', () => {
  const faults = (input: ProfileInput): string[] => (checkProfile(input).violations ?? []).map(({ path }) => path);
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a);

  test('a good one', () => {
    const input = { name: 'Webshop', numberFormat: 'W{YYYY}-{SEQ:5}', accentColor: '#00AAff', footer: '', logo: png };
    expect(faults(input)).toEqual([]);
  });

  test('a bad one', () => {
    const logo = new Uint8Array(256 * 1024 + 1);
    const input = { name: ' ', numberFormat: '{SEQ}', accentColor: 'red', footer: 'a\u0007', logo };
    expect(faults(input)).toEqual(['/name', '/numberFormat', '/style/accentColor', '/style/footer', '/style/logo']);
    expect(faults({ name: 'x', logo: Buffer.from('<svg/>') })).toEqual(['/style/logo']);
  });
});
