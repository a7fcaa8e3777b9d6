import { isSealIntact, invoiceSealer, type IssuedInvoice, type UnnumberedInvoice } from './issued-invoice';

const PARTY = {
  name: 'Zon',
  companyName: '',
  addressLine1: '',
  postalCode: '',
  city: '',
  countryCode: 'NL',
  btwId: '',
  kvkNumber: '',
  email: '',
  iban: '',
  bic: '',
};
const unnumbered: UnnumberedInvoice = {
  _id: 'i1',
  organizationId: 'o1',
  profileId: 'p1',
  customerId: 'c1',
  kind: 'invoice',
  publicToken: 't',
  issueDate: '2026-01-02',
  dueDate: '2026-01-16',
  supplyDate: '2026-01-02',
  currency: 'EUR',
  language: 'nl',
  seller: PARTY,
  buyer: PARTY,
  lines: [],
  totals: { exclCents: 1, vatCents: 0, inclCents: 1, groups: [] },
  vatExemptionReason: '',
  style: { profileName: 'Zon', accentColor: '#000000', footer: '', logoId: null },
  credited: null,
  reason: '',
  issuedAt: new Date('2026-01-02T10:00:00Z'),
  publicUrl: 'http://x/p/t',
  delivery: { email: true, post: false },
  checkoutId: null,
  createdAt: new Date('2026-01-02T10:00:00Z'),
  creditedLines: [],
  creditOrdinal: null,
};
const sealed = invoiceSealer(unnumbered, 'p1/invoice/2026', (seq) => `2026-${seq}`)({ seq: 2, previousHash: 'abc' });

test('a sealed document has its number and place', () => {
  expect(sealed).toMatchObject({ number: '2026-2', seq: 2, previousHash: 'abc', series: 'p1/invoice/2026' });
  expect(sealed.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(isSealIntact(sealed)).toBe(true);
});

test('the order of fields is no part of the seal', () => {
  const turned = Object.fromEntries(Object.entries(sealed).reverse()) as unknown as IssuedInvoice;
  expect(isSealIntact(turned)).toBe(true);
});

test.each([
  { number: '2026-3' },
  { seq: 3 },
  { previousHash: 'abd' },
  { totals: { ...sealed.totals, inclCents: 2 } },
  { buyer: { ...PARTY, name: 'Maan' } },
  { issuedAt: new Date('2026-01-02T10:00:01Z') },
])('a change breaks the seal: %j', (change) => {
  expect(isSealIntact({ ...sealed, ...change })).toBe(false);
});
