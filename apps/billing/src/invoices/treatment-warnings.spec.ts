import type { Party, VatTreatment } from './invoice';
import { treatmentWarnings } from './treatment-warnings';

const seller: Party = {
  name: 'Studio',
  companyName: '',
  addressLine1: 'Markt 1',
  postalCode: '1234 AB',
  city: 'Delft',
  countryCode: 'NL',
  btwId: 'NL861234567B01',
  kvkNumber: '81234567',
  email: '',
  iban: '',
  bic: '',
};
const german: Party = { ...seller, countryCode: 'DE', btwId: 'DE136695976', kvkNumber: '' };
const person: Party = { ...seller, btwId: '', kvkNumber: '', addressLine1: '', postalCode: '', city: '' };

const codes = (buyer: Party, treatments: readonly VatTreatment[], from: Party = seller): string[] =>
  treatmentWarnings({
    seller: from,
    buyer,
    lines: treatments.map((vatTreatment) => ({ vatTreatment })),
  }).map(({ code, field }) => `${code} ${field}`);

test.each<[string, Party, readonly VatTreatment[], Party, string[]]>([
  ['a Dutch business at 21 %', { ...seller, name: 'B' }, ['standard_21', 'reduced_9'], seller, []],
  ['a private person without address', person, ['standard_21'], seller, []],
  ['goods to a German business', german, ['intra_community'], seller, []],
  [
    'goods to Northern Ireland',
    { ...german, countryCode: 'GB', btwId: 'XI123456789' },
    ['intra_community'],
    seller,
    [],
  ],
  [
    'goods to a Dutch business',
    { ...seller, name: 'B' },
    ['zero', 'intra_community'],
    seller,
    ['intra_community_not_possible /lines/1/vatTreatment'],
  ],
  [
    'goods to who knows where',
    { ...german, countryCode: '' },
    ['intra_community'],
    seller,
    ['intra_community_not_possible /lines/0/vatTreatment'],
  ],
  [
    'goods to Switzerland',
    { ...german, countryCode: 'CH' },
    ['intra_community'],
    seller,
    ['intra_community_not_possible /lines/0/vatTreatment'],
  ],
  [
    'goods to a German person',
    { ...person, countryCode: 'DE' },
    ['intra_community'],
    seller,
    ['intra_community_not_possible /lines/0/vatTreatment'],
  ],
  ['reverse charge to a business without VAT id', { ...seller, btwId: '' }, ['reverse_charge'], seller, []],
  [
    'reverse charge to a person',
    person,
    ['reverse_charge'],
    seller,
    ['reverse_charge_to_private_person /lines/0/vatTreatment'],
  ],
  [
    '21 % without VAT id',
    person,
    ['exempt', 'standard_21'],
    { ...seller, btwId: '' },
    ['vat_without_vat_id /lines/1/vatTreatment'],
  ],
  ['exempt without VAT id', person, ['exempt'], { ...seller, btwId: '' }, []],
  ['a company without city', { ...german, city: ' ' }, ['reverse_charge'], seller, ['missing_address /customerId']],
  [
    'a company by its name only',
    { ...person, companyName: 'B' },
    ['standard_21'],
    seller,
    ['missing_address /customerId'],
  ],
])('%s', (_what, buyer, treatments, from, expected) => {
  expect(codes(buyer, treatments, from)).toEqual(expected);
});
