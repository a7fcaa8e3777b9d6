import { requireValid } from '@invoicing/errors';
import type { FrozenInvoice, Party, Prepayment, VatTreatment } from '../../invoices/invoice';
import { priceLines } from '../../invoices/price-lines';

/** Realistic documents for the specs and for looking at (`sample-sheets.spec.ts`). */

export interface SampleLine {
  readonly description: string;
  readonly quantity?: string;
  readonly unitPriceCents: number;
  readonly vatTreatment?: VatTreatment;
  readonly unit?: string;
  readonly discountBps?: number;
}

export const studio: Party = {
  name: 'Studio Noorderlicht B.V.',
  companyName: '',
  addressLine1: 'Prinsengracht 263',
  postalCode: '1016 GV',
  city: 'Amsterdam',
  countryCode: 'NL',
  btwId: 'NL861234567B01',
  kvkNumber: '81234567',
  email: 'administratie@noorderlicht.example',
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
};

export const bakery: Party = {
  name: 'Eva de Jong',
  companyName: 'Bakkerij De Gouden Korst',
  addressLine1: 'Oudegracht 112',
  postalCode: '3511 AW',
  city: 'Utrecht',
  countryCode: 'NL',
  btwId: 'NL003456789B72',
  kvkNumber: '30123456',
  email: 'eva@goudenkorst.example',
  iban: '',
  bic: '',
};

export const berliner: Party = {
  name: 'Jürgen Groß',
  companyName: 'Lichtwerk Gestaltung GmbH',
  addressLine1: 'Torstraße 49',
  postalCode: '10119',
  city: 'Berlin',
  countryCode: 'DE',
  btwId: 'DE136695976',
  kvkNumber: '',
  email: 'rechnung@lichtwerk.example',
  iban: '',
  bic: '',
};

/** An invoice with these lines; its totals are computed as the service computes them. */
export function sampleInvoice(lines: readonly SampleLine[], changes: Partial<FrozenInvoice> = {}): FrozenInvoice {
  const units = new Map(lines.map((line, index) => [String(index), line.unit ?? '']));
  const products = new Map(
    [...units].map(([id, unit]) => [id, { id, name: 'x', unitPriceCents: 0, vatRateBps: 2100, unit }]),
  );
  const priced = requireValid(
    priceLines(
      lines.map((line, index) => ({ vatTreatment: 'standard_21', ...line, productId: String(index) })),
      products,
      changes.pricesIncludeVat,
    ),
  );
  return {
    id: '0b8f6c2e-6d1f-4d0e-9a57-3a1f6f1c9b01',
    organizationId: '5e0c7a34-7c52-4c0a-8f65-0d7c2f6b1a02',
    profileId: '9d4b3c1e-2f7a-4be4-8a0e-6c5d4e3f2a03',
    customerId: '7a6b5c4d-3e2f-4a1b-9c8d-7e6f5a4b3c04',
    kind: 'invoice',
    number: '2026-0042',
    publicToken: 'Yq3vT0rXk9bLw2NfZs6HcA',
    issueDate: '2026-11-21',
    dueDate: '2026-12-05',
    supplyDate: '2026-11-21',
    currency: 'EUR',
    language: 'nl',
    seller: studio,
    buyer: bakery,
    lines: priced.lines.map((line) => ({ ...line, productId: null })),
    totals: priced.totals,
    vatExemptionReason: '',
    style: {
      profileName: 'Studio Noorderlicht',
      accentColor: '#0f766e',
      footer: 'Op al onze leveringen zijn de algemene voorwaarden van toepassing, te vinden op noorderlicht.example.',
      logo: null,
    },
    credited: null,
    reason: '',
    issuedAt: new Date('2026-11-21T09:30:00Z'),
    publicUrl: 'https://facturen.example/p/Yq3vT0rXk9bLw2NfZs6HcA',
    ...(priced.roundingTrace && { roundingTrace: priced.roundingTrace }),
    ...changes,
  };
}

export const dutchInvoice = sampleInvoice([
  {
    description: 'Huisstijl: logo, kleuren en lettertypen\nTwee rondes aanpassingen inbegrepen',
    unitPriceCents: 185_000,
  },
  { description: 'Ontwerp en bouw van de webwinkel', quantity: '32.5', unitPriceCents: 8_750, unit: 'uur' },
  { description: 'Fotografie van het assortiment, halve dag', unitPriceCents: 42_500 },
  {
    description: 'Handboek "Gezond bakken" (druk)',
    quantity: '25',
    unitPriceCents: 1_795,
    vatTreatment: 'reduced_9',
    unit: 'stuks',
  },
  { description: 'Korting wegens langdurige samenwerking', unitPriceCents: -12_500 },
]);

/** As a checkout makes it: the payer paid before there was an invoice, and so it has no term. */
export const prepaid = (invoice: FrozenInvoice, changes: Partial<Prepayment> = {}): FrozenInvoice => ({
  ...invoice,
  dueDate: invoice.issueDate,
  prepayment: {
    provider: 'mollie',
    method: 'ideal',
    id: 'tr_WDqYK6vllg',
    paidAt: new Date('2026-11-21T09:29:12Z'),
    date: '2026-11-21',
    amountCents: invoice.totals.inclCents,
    ...changes,
  },
});

export const prepaidInvoice = prepaid(
  sampleInvoice([{ description: 'Workshop brood bakken', quantity: '2', unitPriceCents: 6_500 }], {
    number: '2026-0048',
  }),
);

export const prepaidEnglishInvoice = prepaid(
  sampleInvoice(
    [
      { description: 'Type design course', quantity: '1', unitPriceCents: 49_500, unit: 'seat' },
      { description: 'Course book', quantity: '1', unitPriceCents: 4_250, vatTreatment: 'reduced_9' },
    ],
    { language: 'en', number: '2026-0049', seller: { ...studio, iban: '', bic: '' } },
  ),
  { method: 'creditcard', date: '2026-11-20' },
);

/** Prices including VAT, with all that a document can say of itself. */
export const inclusiveInvoice = sampleInvoice(
  [
    { description: 'Abonnement brood aan huis', quantity: '4', unitPriceCents: 1_000, unit: 'weken' },
    {
      description: 'Kookboek "Zuurdesem"',
      quantity: '3',
      unitPriceCents: 1_999,
      vatTreatment: 'reduced_9',
      unit: 'stuks',
      discountBps: 1_250,
    },
  ],
  {
    number: '2026-0050',
    pricesIncludeVat: true,
    reference: 'PO-2026-0815',
    note: 'Bezorging op werkdagen tussen 7 en 9 uur.\nBel bij de achterdeur.',
    period: { from: '2026-11-01', to: '2026-11-30' },
  },
);

/** Prices without VAT, with discounts on some lines and a day of supply. */
export const discountedInvoice = sampleInvoice(
  [
    {
      description: 'Abonnement servicedesk',
      quantity: '3',
      unitPriceCents: 12_500,
      unit: 'maanden',
      discountBps: 1_000,
    },
    { description: 'Licentie per werkplek', quantity: '14', unitPriceCents: 1_995, unit: 'stuks' },
    { description: 'Kennismaking', unitPriceCents: 25_000, discountBps: 10_000 },
  ],
  { number: '2026-0051', reference: 'PO-2026-0816', supplyDate: '2026-11-14' },
);

export const reverseChargeInvoice = sampleInvoice(
  [
    {
      description: 'Website redesign, phase 2',
      quantity: '48',
      unitPriceCents: 9_500,
      vatTreatment: 'reverse_charge',
      unit: 'hours',
    },
    { description: 'Accessibility audit with report', unitPriceCents: 160_000, vatTreatment: 'reverse_charge' },
  ],
  {
    language: 'en',
    buyer: berliner,
    number: '2026-0043',
    style: { ...dutchInvoice.style, footer: 'Thank you for your business.' },
  },
);

export const intraCommunityInvoice = sampleInvoice(
  [
    {
      description: 'Sign letters, brushed steel',
      quantity: '14',
      unitPriceCents: 6_450,
      vatTreatment: 'intra_community',
      unit: 'pieces',
    },
  ],
  { language: 'en', buyer: berliner, number: '2026-0044' },
);

export const exemptInvoice = sampleInvoice(
  [{ description: 'Cursus typografie', quantity: '3', unitPriceCents: 24_900, vatTreatment: 'exempt' }],
  { number: '2026-0045', vatExemptionReason: 'artikel 11, lid 1, letter o, Wet op de omzetbelasting 1968' },
);

export const creditNote = sampleInvoice(
  [
    { description: 'Ontwerp en bouw van de webwinkel', quantity: '4.5', unitPriceCents: 8_750, unit: 'uur' },
    {
      description: 'Handboek "Gezond bakken" (druk)',
      quantity: '5',
      unitPriceCents: 1_795,
      vatTreatment: 'reduced_9',
      unit: 'stuks',
    },
  ],
  {
    kind: 'credit_note',
    number: 'C2026-0003',
    credited: { invoiceId: dutchInvoice.id, number: dutchInvoice.number, issueDate: dutchInvoice.issueDate },
    reason: 'Vijf handboeken kwamen beschadigd aan en er is minder tijd besteed dan begroot.',
    issueDate: '2026-12-01',
    dueDate: '2026-12-01',
    supplyDate: '2026-12-01',
  },
);

const CRAFTS = [
  'Gevelletters',
  'Menukaarten',
  'Verpakking',
  'Etalage',
  'Drukproef',
  'Vertaling',
  'Onderhoud',
  'Overleg',
];

export const longInvoice = sampleInvoice(
  Array.from({ length: 60 }, (_, index) => ({
    description: `${CRAFTS[index % CRAFTS.length]} week ${1 + (index % 52)}${index % 9 === 4 ? ', inclusief voorbereiding, reistijd en nazorg op locatie bij de vestigingen in Utrecht en Zeist' : ''}`,
    quantity: String(1 + (index % 7) * 0.5),
    unitPriceCents: 4_500 + index * 137,
    vatTreatment: index % 5 === 3 ? ('reduced_9' as const) : ('standard_21' as const),
    unit: index % 2 ? 'uur' : '',
  })),
  { number: '2026-0046', style: { ...dutchInvoice.style, accentColor: '#b45309' } },
);

/** Every treatment at once. */
export const mixedInvoice = sampleInvoice(
  (['standard_21', 'reduced_9', 'zero', 'exempt', 'reverse_charge', 'intra_community'] as const).map(
    (vatTreatment) => ({
      description: `Regel ${vatTreatment}`,
      quantity: '2',
      unitPriceCents: 10_050,
      vatTreatment,
    }),
  ),
  { number: '2026-0047', buyer: berliner, vatExemptionReason: 'artikel 11 Wet OB' },
);

/** Long, foreign and hostile texts in every place where a person can write. */
export const unrulyInvoice = sampleInvoice(
  [
    {
      description: `Donaudampfschifffahrtsgesellschafts${'kapitäns'.repeat(14)}mütze en nog veel meer`,
      unitPriceCents: 1_999,
    },
    {
      description: '<script>alert(1)</script> & "quotes" \'single\' ]]> <b>bold</b> {{= it }} <%= it %>',
      unitPriceCents: 1_00,
    },
    {
      description: 'שלום עולם – مرحبا بالعالم – 你好 – 🎉👩‍👩‍👧 – łódź őűăşţ – Ελλάδα – Україна',
      quantity: '0.000001',
      unitPriceCents: 900_000_000_000,
    },
    {
      description: `${'Een lange alinea over het werk. '.repeat(40)}\n\n- met\n- regels`,
      quantity: '1234567.891',
      unitPriceCents: 12_345,
    },
  ],
  {
    number: '2026-000000048/NOORDERLICHT-AMSTERDAM',
    seller: {
      ...studio,
      name: 'Maatschap van der Meer-Oudshoorn, van den Bosch & Zonen Notarissen en Belastingadviseurs <Holding> B.V.',
    },
    buyer: {
      ...bakery,
      name: 'Wolfeschlegelsteinhausenbergerdorff-van Heemskerck-Bouwmeester tot Oosterwijk',
      companyName:
        'Stichting tot Bevordering van de Volksgezondheid & "Openbare" Werken <img src=x onerror=alert(1)> 🎉',
      addressLine1: 'Laan van de Heilige Verenigde Nederlandse Provinciën 1234-huis, verdieping 12',
      city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    },
    style: {
      profileName: 'Maatschap van der Meer-Oudshoorn en van den Bosch',
      accentColor: '#ffe600',
      footer: `${'Een voettekst die maar niet ophoudt. '.repeat(8)}</footer><script>`,
      logo: null,
    },
  },
);
