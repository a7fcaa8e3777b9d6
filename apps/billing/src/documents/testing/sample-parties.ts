import type { FrozenInvoice, Party } from '../../invoices/invoice';
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
} from './sample-invoices';

const abroad = (countryCode: string, changes: Partial<Party>, invoice: FrozenInvoice = reverseChargeInvoice) => ({
  ...invoice,
  buyer: { ...berliner, countryCode, btwId: '', kvkNumber: '', ...changes },
});

const german: Party = {
  ...berliner,
  name: 'Werkstatt Süd GmbH',
  companyName: '',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  phone: '+49 30 1234567',
};

/** Documents between all kinds of parties, each by the rule that it is there for. */
export function sampleParties(): Record<string, FrozenInvoice> {
  const discount = creditNote.lines[0]!;
  return {
    'a-finn': abroad('FI', { btwId: 'FI20774740' }),
    'a-swede': abroad('SE', { btwId: 'SE556012579001' }),
    'an-italian': abroad('IT', { btwId: 'IT00743110157' }),
    'a-belgian': abroad('BE', { btwId: 'BE0202239951', kvkNumber: '0202.239.951' }),
    'a-dane': abroad('DK', { btwId: 'DK13585628' }),
    'a-norwegian': abroad('NO', { kvkNumber: '974760673' }, { ...exportInvoice }),
    'a-greek': abroad('GR', { btwId: 'GR094259216' }),
    'a-frenchman': abroad('FR', { btwId: 'FR40303265045' }, intraCommunityInvoice),
    'a-briton': abroad('GB', { btwId: 'GB123456789' }, exportInvoice),
    'a-dutch-public-body': { ...dutchInvoice, buyer: { ...bakery, kvkNumber: '00000001003214345000', btwId: '' } },
    'a-dutch-buyer-without-kvk': { ...dutchInvoice, buyer: { ...bakery, kvkNumber: '' } },
    'a-german-abroad': { ...reverseChargeInvoice, seller: { ...studio, phone: '+31 20 123 4567' } },
    'a-german-of-a-german': { ...dutchInvoice, seller: german, buyer: berliner, reference: '04011000-12345-34' },
    'a-german-prepaid': prepaid({ ...reverseChargeInvoice, seller: { ...studio, phone: '+31 20 123 4567' } }),
    'a-german-credited': {
      ...creditNote,
      language: 'de',
      seller: { ...studio, phone: '+31 20 123 4567' },
      buyer: berliner,
    },
    'a-buyer-of-the-small-scheme': {
      ...exemptInvoice,
      vatExemptionReason: 'artikel 25 Wet OB (kleineondernemersregeling)',
    },
    'a-buyer-of-a-seller-without-vat-id': { ...exemptInvoice, seller: { ...studio, btwId: '' } },
    'credit-below-zero': {
      ...creditNote,
      lines: [{ ...discount, description: 'Korting', quantity: '1', unitPriceCents: -12_500, netCents: -12_500 }],
      totals: {
        exclCents: -12_500,
        vatCents: -2_625,
        inclCents: -15_125,
        groups: [{ vatTreatment: 'standard_21', rateBps: 2_100, baseCents: -12_500, vatCents: -2_625 }],
      },
    },
    'prices-including-vat': sampleInvoice(
      [
        { description: 'Kaartje', quantity: '3', unitPriceCents: 1_000 },
        { description: 'Boek', quantity: '1', unitPriceCents: 1_999, vatTreatment: 'reduced_9', discountBps: 1_000 },
      ],
      { pricesIncludeVat: true, reference: 'PO-4711' },
    ),
  };
}

const exportInvoice = sampleInvoice(
  [{ description: 'Sign letters, brushed steel', quantity: '14', unitPriceCents: 6_450, vatTreatment: 'zero' }],
  { language: 'en', buyer: berliner, number: '2026-0050' },
);
