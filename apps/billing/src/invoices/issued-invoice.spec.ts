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

test('what was paid before is part of the seal; without it the seal is the one of always', () => {
  const prepayment = {
    provider: 'mollie',
    method: 'ideal',
    id: 'tr_1',
    paidAt: new Date('2026-01-02T09:59:00Z'),
    date: '2026-01-02',
    amountCents: 1,
  };
  const place = { seq: 2, previousHash: 'abc' };
  const paid = invoiceSealer({ ...unnumbered, prepayment }, 'p1/invoice/2026', (seq) => `2026-${seq}`)(place);
  expect(isSealIntact(paid)).toBe(true);
  expect(isSealIntact({ ...paid, prepayment: { ...prepayment, method: 'paypal' } })).toBe(false);
  const { prepayment: _, ...unpaid } = paid;
  expect(isSealIntact(unpaid)).toBe(false);
  // As it was sealed before there were prepayments.
  expect(sealed.hash).toBe('977634e9af29e275502d93d51f1aef33b5d404d29d4a11fd0ac83c2f2c6e287e');
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
