import { notFoundError, validationError, type Violation } from '@invoicing/errors';
import { DEFAULT_NUMBER_FORMAT } from '../numbering/number-format';
import {
  DEFAULT_ACCENT_COLOR,
  EMPTY_DETAILS,
  type Organization,
  type OrganizationDetails,
  type Profile,
} from './organization';
import { checkProfile, readDetails, type ProfileInput } from './organization-input';
import type { Call, Ports } from '../invoices/invoice-ports';

type GivenDetails = Partial<Record<keyof OrganizationDetails, string | undefined>>;
type OrganizationPorts = Pick<Ports, 'organizations' | 'logos' | 'newId' | 'now'>;

/** Creates an organisation with one default profile, in one write. Its id is the operation's. */
export async function createOrganization(
  { organizations, newId, now }: OrganizationPorts,
  input: { details: GivenDetails } & Pick<Organization, 'plan' | 'mode'>,
  call: Call,
): Promise<Organization> {
  const violations: Violation[] = [];
  const details = readDetails({ ...input.details, name: input.details.name ?? '' }, violations);
  if (violations.length > 0) throw validationError(violations);
  const full = { ...EMPTY_DETAILS, ...details };
  const organization: Organization = {
    _id: call.operationId ?? newId(),
    details: full,
    plan: input.plan,
    billingStatus: 'active',
    mode: input.mode,
    profiles: [
      {
        id: newId(),
        name: full.name,
        numberFormat: DEFAULT_NUMBER_FORMAT,
        accentColor: DEFAULT_ACCENT_COLOR,
        footer: '',
        logoId: null,
      },
    ],
    createdAt: now(),
  };
  if (await organizations.insert(organization)) return organization;
  return getOrganization({ organizations }, organization._id);
}

/** Changes only what is given. Throws `not_found` or `validation`. */
export async function updateOrganization(
  { organizations }: OrganizationPorts,
  id: string,
  changes: { details: GivenDetails } & Partial<Pick<Organization, 'plan' | 'billingStatus'>>,
): Promise<Organization> {
  const violations: Violation[] = [];
  const details = readDetails(changes.details, violations);
  if (violations.length > 0) throw validationError(violations);
  const updated = await organizations.update(id, { ...changes, details });
  if (!updated) throw notFoundError('the organisation');
  return updated;
}

/** Adds a profile; its id is the operation's. Throws `not_found` or `validation`. */
export async function createProfile(
  { organizations, logos, newId }: OrganizationPorts,
  organizationId: string,
  input: ProfileInput,
  call: Call,
): Promise<Profile> {
  const violations: Violation[] = [];
  checkProfile(input, violations);
  if (violations.length > 0) throw validationError(violations);
  // Before the profile that names it; without a profile it is a few idle bytes.
  const logoId = input.logo ? await logos.put(input.logo) : null;
  const profile: Profile = {
    id: call.operationId ?? newId(),
    name: input.name.trim(),
    numberFormat: input.numberFormat ?? DEFAULT_NUMBER_FORMAT,
    accentColor: (input.accentColor ?? DEFAULT_ACCENT_COLOR).toLowerCase(),
    footer: input.footer ?? '',
    logoId,
  };
  const updated = await organizations.addProfile(organizationId, profile);
  if (!updated) throw notFoundError('the organisation');
  return updated.profiles.find(({ id }) => id === profile.id) ?? profile;
}

/** Throws `not_found`. */
export async function getOrganization(
  { organizations }: Pick<Ports, 'organizations'>,
  id: string,
): Promise<Organization> {
  const organization = await organizations.find(id);
  if (!organization) throw notFoundError('the organisation');
  return organization;
}
