import fc from 'fast-check';
import { PARTY_LIMITS, partyViolations, readParty, type PartyDetails, type PartyField } from './party';

const partyOf = (given: PartyDetails) => {
  const read = readParty(given);
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read;
};
const faultsOf = (given: PartyDetails) => {
  const read = readParty(given);
  return 'faults' in read ? read.faults : {};
};

test('identifiers take their stored form, everything else stays as it was given', () => {
  expect(
    partyOf({
      name: ' Jansen BV',
      email: ' Boek@Jansen.nl ',
      countryCode: 'nl',
      btwId: 'nl0012.34.567 b01',
      kvkNumber: '1234 5678',
      externalId: ' crm ',
    }),
  ).toEqual({
    party: {
      name: ' Jansen BV',
      email: 'Boek@Jansen.nl',
      countryCode: 'NL',
      btwId: 'NL001234567B01',
      kvkNumber: '12345678',
      externalId: ' crm ',
    },
  });
});

test('a blank field is absent', () => {
  expect(partyOf({ name: 'Jansen', email: '', city: '  ', btwId: '', kvkNumber: undefined }).party).toEqual({
    name: 'Jansen',
  });
});

test('every field that does not fit is named, each with its own reason', () => {
  const faults = faultsOf({
    name: 'x'.repeat(201),
    email: 'a..b@example.nl',
    countryCode: 'ZZ',
    btwId: 'NL12',
    city: 'a\u0007b',
  });
  expect(faults).toEqual({
    name: 'too_long',
    email: 'email',
    countryCode: 'country',
    btwId: 'btw_id',
    city: 'unprintable',
  });
  expect(partyViolations(faults, '/customer')).toEqual([
    { path: '/customer/name', message: 'must be at most 200 characters' },
    { path: '/customer/email', message: 'must be an e-mail address' },
    { path: '/customer/city', message: 'must not contain control characters' },
    { path: '/customer/countryCode', message: 'must be an ISO 3166-1 alpha-2 code' },
    { path: '/customer/btwId', message: 'must be a VAT identification number such as NL001234567B01' },
  ]);
});

test('a register number is kept whatever its form', () => {
  for (const countryCode of ['NL', undefined, 'DE'])
    expect(partyOf({ countryCode, kvkNumber: 'HRB 12345' })).toMatchObject({ party: { kvkNumber: 'HRB 12345' } });
  expect(faultsOf({ kvkNumber: 'x'.repeat(31) })).toEqual({ kvkNumber: 'too_long' });
});

test('no field takes more than its limit or a control character', () => {
  for (const field of Object.keys(PARTY_LIMITS) as PartyField[]) {
    expect(faultsOf({ [field]: 'x'.repeat(PARTY_LIMITS[field] + 1) })).toHaveProperty(field, 'too_long');
    expect(faultsOf({ [field]: '\u0000' })).toHaveProperty(field, 'unprintable');
  }
});

test('what was read once reads the same again', () => {
  const text = fc.option(fc.string({ maxLength: 30, unit: 'grapheme' }), { nil: undefined });
  const given = fc.record({
    name: text,
    email: fc.option(fc.emailAddress(), { nil: undefined }),
    city: text,
    countryCode: fc.constantFrom(undefined, 'nl', 'DE', 'be'),
    kvkNumber: fc.oneof(text, fc.constantFrom('12345678', '1234.5678')),
    btwId: fc.constantFrom(undefined, 'NL001234567B01', 'be 0123.456.789'),
  });
  fc.assert(
    fc.property(given, (details) => {
      const once = readParty(details);
      if ('party' in once) expect(readParty(once.party)).toEqual(once);
    }),
  );
});
