import type { OrganizationDetails } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import type { CustomerDetails, ProductDetails } from '@invoicing/contracts/invoicing/catalog/v1/catalog';

/** A bakery, its customers and what it sells. */
export const demoSeller: OrganizationDetails = {
  name: 'Bakkerij De Zon',
  countryCode: 'NL',
  kvkNumber: '12345678',
  btwId: 'NL001234567B01',
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
  email: 'administratie@bakkerijdezon.example',
  addressLine1: 'Zonnestraat 12',
  postalCode: '3512 AB',
  city: 'Utrecht',
  timezone: undefined,
  vatExemptionReason: undefined,
};

const customer = (name: string, given: Partial<CustomerDetails>): CustomerDetails => ({
  name,
  email: undefined,
  companyName: undefined,
  addressLine1: undefined,
  postalCode: undefined,
  city: undefined,
  countryCode: 'NL',
  btwId: undefined,
  kvkNumber: undefined,
  externalId: undefined,
  ...given,
});

export const demoCustomers: readonly CustomerDetails[] = [
  customer('Hotel Zeezicht', {
    companyName: 'Hotel Zeezicht B.V.',
    email: 'crediteuren@zeezicht.example',
    addressLine1: 'Boulevard 1',
    postalCode: '2042 AA',
    city: 'Zandvoort',
    kvkNumber: '87654321',
  }),
  customer('Jan Jansen', {
    email: 'jan@example.nl',
    addressLine1: 'Kerkstraat 9',
    postalCode: '1017 GB',
    city: 'Amsterdam',
  }),
  customer('Lunchroom Het Hoekje', {
    companyName: 'Lunchroom Het Hoekje',
    email: 'info@hethoekje.example',
    addressLine1: 'Markt 4',
    postalCode: '2611 GP',
    city: 'Delft',
    kvkNumber: '11223344',
  }),
  customer('Brasserie Lumière', {
    companyName: 'Brasserie Lumière SRL',
    email: 'compta@lumiere.example',
    addressLine1: 'Rue Neuve 10',
    postalCode: '1000',
    city: 'Brussel',
    countryCode: 'BE',
    btwId: 'BE0411905847',
  }),
  customer('Łucja Wiśniewska', {
    email: 'lucja@example.nl',
    addressLine1: 'Dorpsstraat 88',
    postalCode: '5611 AA',
    city: 'Eindhoven',
  }),
  customer('Stichting Buurtfeest', {
    companyName: 'Stichting Buurtfeest',
    email: 'penningmeester@buurtfeest.example',
    addressLine1: 'Plein 1',
    postalCode: '9712 JG',
    city: 'Groningen',
  }),
];

const product = (
  name: string,
  unitPriceCents: number,
  vatRateBps: number,
  unit: string,
  sku: string,
): ProductDetails => ({
  name,
  unitPriceCents,
  vatRateBps,
  unit,
  sku,
});

export const demoProducts: readonly ProductDetails[] = [
  product('Zuurdesembrood', 450, 900, 'stuk', 'BR-01'),
  product('Roomboterkoekjes', 695, 900, 'zak', 'KO-02'),
  product('Bezorging', 1250, 2100, 'rit', 'DI-01'),
  product('Workshop brood bakken', 6500, 2100, 'persoon', 'WS-01'),
  product('Bruidstaart', 24500, 900, 'stuk', 'TA-09'),
];
