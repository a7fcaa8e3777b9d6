import { brand } from '@invoicing/design';
import { sampleSession } from '../testing/sample-session';
import { formPage } from './session-page';

const lines = [
  {
    description: 'Kookboek',
    quantity: '3',
    unitPriceCents: 1_999,
    vatTreatment: 'VAT_TREATMENT_REDUCED_9',
    netCents: 4_814,
    grossCents: 5_247,
    unit: 'stuks',
    discountBps: 1_250,
  },
];
const totals = {
  exclCents: 4_814,
  vatCents: 433,
  inclCents: 5_247,
  groups: [{ vatTreatment: 'VAT_TREATMENT_REDUCED_9', rateBps: 900, baseCents: 4_814, vatCents: 433 }],
};
const terms = {
  pricesIncludeVat: true,
  reference: 'PO-4711 <b>',
  note: 'Bel bij de achterdeur.',
  period: { from: '2026-11-01', to: '2026-11-30' },
};
const pageOf = (language: 'nl' | 'en', changes: Parameters<typeof sampleSession>[0]): string =>
  formPage(
    sampleSession({ lines, totals, ...changes }),
    { kind: 'methods', methods: [] },
    {
      language,
      path: '/c/token',
      publicUrl: 'https://pay.example',
      formId: 'form',
      brand: brand({ name: 'De Ochtend' }),
      isTest: false,
      sellerName: 'De Ochtend',
    },
  ).replace(/\u00a0/g, ' ');

test('discounts, prices including VAT and what the invoice will say are shown before it is paid', () => {
  const dutch = pageOf('nl', { terms });
  expect(dutch).toContain('3 stuks × € 19,99 · −12,5% korting');
  expect(dutch).toContain('<span class="money">€ 52,47</span>');
  expect(dutch).toContain('<dt>Periode</dt><dd dir="auto">1 – 30 november 2026</dd>');
  expect(dutch).toContain('<dt>Uw kenmerk</dt><dd dir="auto">PO-4711 &lt;b&gt;</dd>');
  expect(dutch).toContain('Bel bij de achterdeur.');
  const english = pageOf('en', { terms });
  expect(english).toContain('3 stuks × €19.99 · −12.5% discount');
  expect(english).toContain('<dt>Your reference</dt>');
});

test('where nothing of it is said, nothing of it is shown', () => {
  const plain = { ...lines[0]!, discountBps: undefined, grossCents: undefined };
  const page = pageOf('nl', { lines: [plain] });
  expect(page).toContain('<span class="money">€ 48,14</span>');
  expect(page).not.toMatch(/korting|class="terms"|class="note"/);
});
