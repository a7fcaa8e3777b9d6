import { notFoundError, requireValid, validationError } from '@invoicing/errors';
import type { Ports } from '../billing-ports';
import { addDays, businessDate } from '../invoices/business-date';
import { freezeInvoice } from '../invoices/freeze-invoice';
import type { Party } from '../invoices/invoice';
import { frozenOf } from '../invoices/issue-document';
import { priceLines } from '../invoices/price-lines';
import { getOrganization } from './manage-organizations';
import { DEFAULT_ACCENT_COLOR, type Organization, type Profile } from './organization';
import { checkProfile } from './organization-input';
import { numberFormatOf, numberPrinter } from './profile';
import type { ProfileUpdate } from './profile-numbers';

/** How a profile would look. */
export interface ProfilePreview {
  /** Of the first invoice of this year, the one after it, the first credit note, and the first invoice of the next year. */
  readonly numbers: readonly string[];
  /** A made-up invoice as SVG. */
  readonly sheet: Uint8Array;
}

const DAYS_TO_PAY = 14;
const MAX_START = 999_999_999;

/** A buyer that nobody is; the documents that it stands on are shown to the organisation only. */
const buyer: Party = {
  name: 'Sanne de Wit',
  companyName: 'De Wit & Zonen B.V.',
  addressLine1: 'Voorbeeldstraat 1',
  postalCode: '1234 AB',
  city: 'Utrecht',
  countryCode: 'NL',
  btwId: '',
  kvkNumber: '',
  email: 'sanne@example.nl',
  iban: '',
  bic: '',
};

const LINES = [
  { description: 'Ontwerp en opmaak', quantity: '8', unitPriceCents: 8_500, vatTreatment: 'standard_21' },
  { description: 'Drukwerk, 500 stuks', quantity: '1', unitPriceCents: 24_950, vatTreatment: 'standard_21' },
  { description: 'Handboek', quantity: '3', unitPriceCents: 2_250, vatTreatment: 'reduced_9' },
] as const;

/** What is being chosen, on a made-up invoice; stores nothing. Throws `not_found` or `validation`. */
export async function previewProfile(
  ports: Pick<Ports, 'organizations' | 'logos' | 'documents' | 'now' | 'publicUrl'>,
  organizationId: string,
  profileId: string | undefined,
  changes: ProfileUpdate['changes'],
): Promise<ProfilePreview> {
  const organization = await getOrganization(ports, organizationId);
  const before = profileId === undefined ? undefined : organization.profiles.find(({ id }) => id === profileId);
  if (profileId !== undefined && !before) throw notFoundError('the profile');
  const today = businessDate(ports.now(), organization.details.timezone);
  const profile = profileWith(organization, before, changes, Number(today.slice(0, 4)));
  const logo = changes.logo ?? (before?.logoId && !('logo' in changes) ? await ports.logos.find(before.logoId) : null);
  const [number = ''] = numbersOf(profile, today);
  const unnumbered = sampleOf(ports, organization, profile, today);
  const invoice = frozenOf({ ...unnumbered, number }, logo);
  const sheet = await ports.documents.renderSheet({ invoice, isTest: organization.mode === 'test' }, 'svg', 'page');
  return { numbers: numbersOf(profile, today), sheet };
}

function profileWith(
  organization: Organization,
  before: Profile | undefined,
  changes: ProfileUpdate['changes'],
  year: number,
): Profile {
  const name = changes.name ?? before?.name ?? organization.details.name;
  const { accentColor = before?.accentColor ?? DEFAULT_ACCENT_COLOR, footer = before?.footer ?? '' } = changes;
  const numberFormat = changes.numberFormat ?? numberFormatOf(before ?? organization.profiles[0]!, year);
  const startNumber = changes.startNumber ?? before?.starts?.find((each) => each.year === year)?.startNumber ?? 1;
  requireValid(checkProfile({ name, accentColor, footer, numberFormat, logo: changes.logo }));
  if (!(Number.isInteger(startNumber) && startNumber >= 1 && startNumber <= MAX_START))
    throw validationError([{ path: '/startNumber', message: `must be from 1 to ${MAX_START}` }]);
  const starts = [{ year, startNumber }];
  return { id: before?.id ?? organization._id, name, numberFormat, accentColor, footer, logoId: null, starts };
}

function numbersOf(profile: Profile, today: string): string[] {
  const year = today.slice(0, 4);
  const invoice = numberPrinter(profile, 'invoice', year);
  const next = numberPrinter(profile, 'invoice', String(Number(year) + 1));
  return [invoice(1), invoice(2), numberPrinter(profile, 'credit_note', year)(1), next(1)];
}

function sampleOf(
  { now, publicUrl }: Pick<Ports, 'now' | 'publicUrl'>,
  organization: Organization,
  profile: Profile,
  today: string,
) {
  const { lines, totals } = requireValid(priceLines([...LINES], new Map(), false));
  // No id of its own: nothing is stored, and the same choice is the same picture.
  const id = organization._id;
  return freezeInvoice({
    organization,
    profile,
    customer: buyer,
    content: {
      profileId: profile.id,
      customerId: id,
      lines,
      totals,
      issueDate: today,
      dueDate: null,
      post: false,
      checkoutId: null,
      requireEInvoice: false,
    },
    dates: { issueDate: today, dueDate: addDays(today, DAYS_TO_PAY) },
    origin: { id, publicToken: 'voorbeeld', createdAt: now() },
    delivery: { email: false, post: false } as never,
    prepayment: undefined,
    publicUrl,
    issuedAt: new Date(`${today}T12:00:00Z`),
  });
}
