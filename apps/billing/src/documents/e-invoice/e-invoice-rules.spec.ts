import type { FrozenInvoice, Party } from '../../invoices/invoice';
import { eInvoiceViolations } from './e-invoice-rules';
import {
  bakery,
  berliner,
  creditNote,
  dutchInvoice,
  exemptInvoice,
  intraCommunityInvoice,
  prepaid,
  reverseChargeInvoice,
  sampleInvoice,
  studio,
} from '../testing/sample-invoices';

const seller = (changes: Partial<Party>, invoice = dutchInvoice): FrozenInvoice => ({
  ...invoice,
  seller: { ...studio, ...changes },
});
const buyer = (changes: Partial<Party>, invoice = dutchInvoice): FrozenInvoice => ({
  ...invoice,
  buyer: { ...invoice.buyer, ...changes },
});
const zeroRated = sampleInvoice([{ description: 'Boot', unitPriceCents: 100, vatTreatment: 'zero' }]);
const partlyExempt = sampleInvoice([
  { description: 'Cursus', unitPriceCents: 100, vatTreatment: 'exempt' },
  { description: 'Boek', unitPriceCents: 100 },
]);
const national = (invoice: FrozenInvoice): FrozenInvoice => ({ ...invoice, eInvoiceRules: 'national' });
const taken: FrozenInvoice = { ...creditNote, totals: { ...creditNote.totals, inclCents: -100 } };

test.each<[string, string, FrozenInvoice]>([
  ['BR-06', '/seller/name', seller({ name: ' ' })],
  ['BR-09', '/seller/countryCode', seller({ countryCode: '' })],
  ['PEPPOL-EN16931-R020', '/seller', seller({ kvkNumber: '', btwId: '' })],
  ['NL-R-002', '/seller/addressLine1', seller({ addressLine1: '' })],
  ['NL-R-002', '/seller/city', seller({ city: '' })],
  ['NL-R-002', '/seller/postalCode', seller({ postalCode: '' })],
  ['NL-R-003', '/seller/kvkNumber', seller({ kvkNumber: '' })],
  ['NL-R-003', '/seller/kvkNumber', seller({ kvkNumber: '1234' })],
  ['NL-R-007', '/seller/iban', seller({ iban: '' })],
  ['BR-CO-09', '/seller/btwId', seller({ btwId: '123456789' })],
  ['BR-S-02', '/seller/btwId', seller({ btwId: '' })],
  ['BR-Z-02', '/seller/btwId', seller({ btwId: '' }, zeroRated)],
  ['BR-E-02', '/seller/btwId', seller({ btwId: '' }, partlyExempt)],
  ['BR-G-02', '/seller/btwId', seller({ btwId: '' }, buyer({ countryCode: 'CH' }, zeroRated))],
  ['BR-AE-02', '/seller/btwId', seller({ btwId: '' }, reverseChargeInvoice)],
  ['BR-IC-02', '/seller/btwId', seller({ btwId: '' }, intraCommunityInvoice)],
  ['BR-07', '/buyer/name', buyer({ name: '', companyName: '' })],
  ['BR-11', '/buyer/countryCode', buyer({ countryCode: '' })],
  ['PEPPOL-EN16931-R010', '/buyer', buyer({ kvkNumber: '', btwId: '' })],
  ['NL-R-004', '/buyer/addressLine1', buyer({ addressLine1: '' })],
  ['NL-R-004', '/buyer/postalCode', buyer({ postalCode: '' })],
  ['NL-R-005', '/buyer/kvkNumber', buyer({ kvkNumber: '12' })],
  ['BR-AE-02', '/buyer/btwId', buyer({ btwId: '' }, reverseChargeInvoice)],
  ['BR-IC-02', '/buyer/btwId', buyer({ btwId: '' }, intraCommunityInvoice)],
  ['BR-NL-10', '/buyer/kvkNumber', national(buyer({ kvkNumber: '' }))],
  ['BR-DE-6', '/seller/phone', national(reverseChargeInvoice)],
  ['BR-DE-8', '/buyer/city', national(buyer({ city: '' }, reverseChargeInvoice))],
  ['BR-DE-6', '/seller/phone', { ...seller({ countryCode: 'DE' }), buyer: berliner }],
  ['PEPPOL-COMMON-R056', '/buyer/btwId', buyer({ btwId: 'NL12' })],
  ['PEPPOL-EN16931-R010', '/buyer', buyer({ countryCode: 'SE', btwId: 'SE556012579101' }, reverseChargeInvoice)],
  ['PEPPOL-EN16931-R010', '/buyer', buyer({ countryCode: 'IT', btwId: 'IT00743110158' }, reverseChargeInvoice)],
  ['NL-R-007', '/seller/iban', seller({ iban: '' }, taken)],
  ['NL-R-001', '/credited', { ...creditNote, credited: null }],
  ['BR-25', '/lines/0/description', { ...dutchInvoice, lines: [{ ...dutchInvoice.lines[0]!, description: ' ' }] }],
])('%s at %s', (id, path, invoice) => {
  expect(eInvoiceViolations(invoice)).toContainEqual({ path, message: expect.stringContaining(`(${id})`) });
});

test.each<[string, FrozenInvoice]>([
  ['a Dutch pair', dutchInvoice],
  [
    'a foreign buyer without street or register number',
    buyer({ addressLine1: '', postalCode: '', city: '' }, reverseChargeInvoice),
  ],
  ['a Dutch buyer with a VAT id only', buyer({ kvkNumber: '' })],
  ['reverse charge to a buyer with a register number only', buyer({ ...bakery, btwId: '' }, reverseChargeInvoice)],
  ['nothing to pay and no IBAN', { ...seller({ iban: '' }), totals: { ...dutchInvoice.totals, inclCents: 0 } }],
  ['no IBAN when it has been paid', prepaid(seller({ iban: '' }))],
  ['a credit note without IBAN', seller({ iban: '' }, creditNote)],
  ['a seller without VAT id whose lines are all exempt', seller({ btwId: '' }, exemptInvoice)],
  ['NLCIUS with a public body', national(buyer({ kvkNumber: '00000001003214345000' }))],
  ['XRechnung by a seller with a telephone', national(seller({ phone: '+31 20 1234567' }, reverseChargeInvoice))],
  ['a Greek buyer', buyer({ countryCode: 'GR', btwId: 'GR123456789' }, reverseChargeInvoice)],
])('nothing to say of %s', (_what, invoice) => {
  expect(eInvoiceViolations(invoice)).toEqual([]);
});

test('all faults are told at once', () => {
  const bare = { ...berliner, name: 'Jan', companyName: '', countryCode: '', btwId: '', city: '' };
  expect(eInvoiceViolations({ ...seller({ iban: '', kvkNumber: '', btwId: '' }), buyer: bare }).length).toBeGreaterThan(
    5,
  );
});
