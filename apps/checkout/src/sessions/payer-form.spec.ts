import { checkPayer, prefilledForm, type PayerForm } from './payer-form';

const form = (changes: Partial<PayerForm> = {}): PayerForm => ({
  ...prefilledForm({}),
  name: 'Anna de Vries',
  email: ' anna@example.com ',
  ...changes,
});
const faults = (changes: Partial<PayerForm>) => checkPayer(form(changes), { prefill: {}, lines: [] }).faults;

test('a person needs a name and an e-mail address', () => {
  expect(checkPayer(form(), { prefill: { externalId: 'ext-1' }, lines: [] }).payer).toMatchObject({
    name: 'Anna de Vries',
    email: 'anna@example.com',
    countryCode: 'NL',
    externalId: 'ext-1',
  });
  expect(faults({ name: ' ', email: '' })).toEqual({ name: 'required', email: 'required' });
});

test('a company goes by its own name when it names nobody', () => {
  const company = {
    type: 'company',
    companyName: 'Jansen B.V.',
    name: '',
    btwId: 'nl 0012.34567 b01',
    kvkNumber: '1234 5678',
  } as const;
  expect(checkPayer(form(company), { prefill: {}, lines: [] }).payer).toMatchObject({
    name: 'Jansen B.V.',
    companyName: 'Jansen B.V.',
    btwId: 'NL001234567B01',
    kvkNumber: '12345678',
  });
  expect(faults({ type: 'company', companyName: '' })).toEqual({ companyName: 'required' });
});

test('what a person left in the fields of a company does not count', () => {
  const { payer } = checkPayer(form({ btwId: 'nonsense', kvkNumber: '1', companyName: 'X' }), {
    prefill: {},
    lines: [],
  });
  expect(payer).toEqual({ name: 'Anna de Vries', email: 'anna@example.com', countryCode: 'NL', externalId: undefined });
});

test.each(['NL123', 'NL001234567X01', 'XX', '12', 'DE12345678'])('%s is no VAT number', (btwId) => {
  expect(faults({ type: 'company', companyName: 'X', btwId })).toEqual({ btwId: 'btw_id' });
});

test.each(['NL001234567B01', 'DE123456789', 'BE0123456789', 'FR12345678901', 'EL123456789'])(
  '%s is a VAT number',
  (btwId) => {
    expect(faults({ type: 'company', companyName: 'X', btwId })).toBeNull();
  },
);

test.each([
  ['NL', '1234567'],
  ['NL', 'HRB 123'],
  ['DE', 'HRB 123'],
])('a payer in %s may be registered as %s', (countryCode, kvkNumber) => {
  const company = { type: 'company', companyName: 'X', countryCode, kvkNumber } as const;
  expect(checkPayer(form(company), { prefill: {}, lines: [] }).payer).toMatchObject({ kvkNumber });
});

test.each(['a', 'a@b', 'a..b@example.nl', '@b.nl', 'a@b.nl,c@d.nl', 'a b@c.nl', 'a@b.nl\r\nBcc: x@y.nl', '<a@b.nl>'])(
  '%j is no e-mail address',
  (email) => {
    expect(faults({ email })).toHaveProperty('email');
  },
);

test('too long, unprintable and unknown are told', () => {
  expect(faults({ name: 'x'.repeat(201), city: 'a\u0007b', countryCode: 'ZZ' })).toEqual({
    name: 'too_long',
    city: 'unprintable',
    countryCode: 'country',
  });
});

test('what is known of a payer is filled in', () => {
  expect(
    prefilledForm({ companyName: 'Jansen B.V.', name: 'Jansen B.V.', email: 'a@b.nl', countryCode: 'be' }),
  ).toMatchObject({
    type: 'company',
    name: '',
    companyName: 'Jansen B.V.',
    countryCode: 'BE',
  });
  expect(prefilledForm({ name: 'Anna' })).toMatchObject({ type: 'person', name: 'Anna', countryCode: 'NL' });
});

test.each(['VAT_TREATMENT_REVERSE_CHARGE', 'VAT_TREATMENT_INTRA_COMMUNITY'])(
  'what is sold as %s needs a company with a VAT number, whatever the form says it is',
  (vatTreatment) => {
    const line = { description: 'x', quantity: '1', unitPriceCents: 1, vatTreatment, netCents: 1, unit: '' };
    const session = { prefill: {}, lines: [line] };
    expect(checkPayer(form(), session).faults).toEqual({ companyName: 'required', btwId: 'required' });
    const company = form({ type: 'person', companyName: 'Jansen B.V.', btwId: 'DE123456789' });
    expect(checkPayer(company, session).payer).toMatchObject({ companyName: 'Jansen B.V.', btwId: 'DE123456789' });
    expect(checkPayer({ ...company, btwId: 'DE12' }, session).faults).toEqual({ btwId: 'btw_id' });
    expect(prefilledForm({}, true).type).toBe('company');
  },
);
