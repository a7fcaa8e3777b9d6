import { seededRandom } from '@invoicing/testing';
import type { Entry, Unplaced } from '../../account/entry';
import { addDays } from '../../invoices/business-date';
import type { Line, Party, VatTreatment } from '../../invoices/invoice';
import { invoiceSealer, type IssuedInvoice, type UnnumberedInvoice } from '../../invoices/issued-invoice';
import { totalsOf } from '../../invoices/totals';

const NOBODY: Party = {
  ...{ name: '', companyName: '', addressLine1: '', postalCode: '', city: '', countryCode: 'NL' },
  ...{ btwId: '', kvkNumber: '', email: '', iban: '', bic: '' },
};
export const SELLER: Party = {
  ...NOBODY,
  ...{ name: 'Bakkerij De Zon B.V.', addressLine1: 'Dorpsstraat 1', postalCode: '3511 AB', city: 'Utrecht' },
  ...{ btwId: 'NL001234567B01', kvkNumber: '12345678', iban: 'NL91ABNA0417164300' },
};

interface Customer {
  readonly id: string;
  readonly party: Party;
  readonly treatments: readonly VatTreatment[];
}

const id = (kind: number, nr: number): string => `0000000${kind}-0000-4000-8000-${nr.toString(16).padStart(12, '0')}`;

const AT_HOME: readonly VatTreatment[] = ['reduced_9', 'standard_21'];
const CUSTOMERS: readonly Customer[] = [
  ['Sanne de Wit', '', 'NL', '', AT_HOME],
  ['Ruben', 'Restaurant ’t Zilt & Zoet', 'NL', 'NL004495445B01', AT_HOME],
  ['Aannemer', 'Bouwbedrijf <Van Dam>', 'NL', 'NL001234567B01', ['reverse_charge', 'standard_21']],
  ['Katrin', 'Backwaren Müller GmbH', 'DE', 'DE136695976', ['intra_community', 'reverse_charge']],
  ['Amélie', 'Pâtisserie Dubois', 'FR', 'FR40303265045', ['reverse_charge']],
  ['Jürgen Schmidt', '', 'DE', '', ['standard_21']],
  ['Emma Peeters', '', 'BE', '', AT_HOME],
  ['Ann', 'Sunrise Bakery Inc.', 'US', '', ['zero']],
  ['Cursist', '=HYPERLINK("http://example.com")', 'NL', '', ['exempt']],
].map(([name, companyName, countryCode, btwId, treatments], index) => ({
  id: id(1, index + 1),
  treatments: treatments as VatTreatment[],
  party: {
    ...NOBODY,
    ...({ name, companyName, countryCode, btwId } as Partial<Party>),
    ...{ addressLine1: `Weg ${index + 1}`, postalCode: '1000', city: 'Stad', email: `klant${index + 1}@example.com` },
  },
}));

/** One document of made-up books and what became of it. */
export interface MadeUp {
  readonly document: IssuedInvoice;
  readonly entries: readonly Entry[];
}

/**
 * Books of one year: invoices of bread, courses and machines to customers at home and abroad, of which most are paid, some in parts or too
 * late, a few credited, given back, charged back or written off. The same for the same seed.
 */
export function* madeUpBooks(options: { organizationId: string; documents: number; seed?: number }): Generator<MadeUp> {
  const { organizationId, documents, seed = 2026 } = options;
  const random = seededRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  let [invoices, notes] = [0, 0];
  let before: IssuedInvoice | undefined;
  for (let nr = 1; nr <= documents; nr++) {
    const issueDate = addDays('2026-01-01', Math.floor(((nr - 1) * 365) / documents));
    const isNote = before !== undefined && below(20) === 0;
    if (isNote) {
      const note = numbered(creditOf(before!, id(2, nr), issueDate), ++notes, 'C-');
      yield { document: note, entries: [] };
      before = undefined;
      continue;
    }
    const customer = CUSTOMERS[below(CUSTOMERS.length)]!;
    const lines = Array.from({ length: 1 + below(4) }, (): Line => {
      const vatTreatment = customer.treatments[below(customer.treatments.length)]!;
      const netCents = 1 + below(250_000);
      const said = { description: 'Brood', quantity: '1', unit: '', productId: null };
      return { ...said, unitPriceCents: netCents, netCents, vatTreatment };
    });
    const bare = { ...frozen(organizationId, id(2, nr), issueDate, customer), lines, totals: totalsOf(lines)! };
    const document = numbered(bare, ++invoices, '');
    yield { document, entries: [...entriesOf(document, nr, below)] };
    before = document;
  }
}

const numbered = (bare: UnnumberedInvoice, seq: number, prefix: string): IssuedInvoice =>
  invoiceSealer(
    bare,
    `${bare.profileId}/${bare.kind}/2026`,
    (each) => `${prefix}2026-${String(each).padStart(4, '0')}`,
  )({
    seq,
    previousHash: '',
  });

function frozen(
  organizationId: string,
  _id: string,
  issueDate: string,
  { id: customerId, party }: Customer,
): Omit<UnnumberedInvoice, 'lines' | 'totals'> {
  const at = new Date(`${issueDate}T09:00:00Z`);
  return {
    ...{ _id, organizationId, profileId: id(3, 1), customerId, kind: 'invoice', publicToken: `token-${_id}` },
    ...{ issueDate, dueDate: addDays(issueDate, 14), supplyDate: issueDate, currency: 'EUR', language: 'nl' },
    ...{ seller: SELLER, buyer: party, vatExemptionReason: 'artikel 11 Wet OB', credited: null, reason: '' },
    ...{ style: { profileName: SELLER.name, accentColor: '#1f4e79', footer: '', logoId: null } },
    ...{ issuedAt: at, createdAt: at, publicUrl: `https://pay.example/p/token-${_id}` },
    ...{ delivery: { email: false, post: false }, checkoutId: null, creditedLines: [], creditOrdinal: null },
  };
}

function creditOf(invoice: IssuedInvoice, _id: string, issueDate: string): UnnumberedInvoice {
  const { number, series: _s, seq: _q, previousHash: _p, hash: _h, ...same } = invoice;
  const at = new Date(`${issueDate}T09:30:00Z`);
  const credited = { invoiceId: invoice._id, number, issueDate: invoice.issueDate };
  const own = { _id, issueDate, dueDate: issueDate, publicToken: `token-${_id}`, issuedAt: at, createdAt: at };
  return { ...same, ...own, kind: 'credit_note', credited, reason: 'Retour', creditOrdinal: 1 };
}

function* entriesOf(invoice: IssuedInvoice, nr: number, below: (most: number) => number): Generator<Entry> {
  const total = invoice.totals.inclCents;
  let ordinal = 0;
  const place = (entry: Unplaced, days: number): Entry => {
    const { organizationId, _id: invoiceId, issueDate } = invoice;
    const date = addDays(issueDate, days);
    const at = new Date(`${date}T10:00:00Z`);
    return { ...entry, organizationId, invoiceId, ordinal: ++ordinal, creditsSeen: 0, at, date } as Entry;
  };
  const _id = (): string => id(4, nr * 10 + ordinal);
  const base = (amountCents: number) =>
    ({ _id: _id(), amountCents, date: '', by: { kind: 'operator', id: 'spec' }, operationId: _id() }) as const;
  const money = (provider: string) =>
    ({ provider, method: provider, paymentId: _id(), reference: '', note: '' }) as const;
  const paid = (cents: number, provider: string, days: number): Entry => {
    const about = { paidAt: new Date(0), checkoutId: null, surplusCents: 0, settles: false } as const;
    return place({ type: 'payment', ...base(cents), ...money(provider), ...about }, days);
  };
  switch (below(12)) {
    case 0:
      return;
    case 1: {
      yield paid(Math.ceil(total / 2), 'bank', 10);
      yield place({ type: 'write_off', reason: 'bad_debt', note: '', ...base(Math.floor(total / 2) || 1) }, 40);
      return;
    }
    case 2: {
      const payment = paid(total, 'mollie', 3);
      yield payment;
      const back = { type: 'chargeback', ...base(total), ...money('mollie'), of: payment._id, providerId: '' } as const;
      yield place(back, 20);
      return;
    }
    case 3: {
      const payment = paid(total, 'bank', 8);
      yield payment;
      yield place({ type: 'reversal', ...base(total), of: payment._id, reason: 'verkeerde factuur' }, 9);
      return;
    }
    default:
      yield paid(total, below(3) === 0 ? 'cash' : below(2) === 0 ? 'bank' : 'mollie', below(30));
  }
}
