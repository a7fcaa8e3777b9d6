import { allValid, AppError, notFoundError, requireValid, validationError } from '@invoicing/errors';
import { DEFAULT_NUMBER_FORMAT, formatsCollide, freeNumberFormat } from '../numbering/number-format';
import { businessDate } from '../invoices/business-date';
import {
  DEFAULT_ACCENT_COLOR,
  EMPTY_DETAILS,
  issuePolicyOf,
  limitsOf,
  type IssuePolicy,
  type Limits,
  type Organization,
  type OrganizationDetails,
  type Profile,
} from './organization';
import { checkIssuePolicy, checkLimits, checkProfile, readDetails, type ProfileInput } from './organization-input';
import type { Call, Ports } from '../invoices/invoice-ports';

type GivenDetails = Partial<Record<keyof OrganizationDetails, string | undefined>>;
type OrganizationPorts = Pick<Ports, 'organizations' | 'logos' | 'newId' | 'now'>;

/** Creates an organisation with one default profile, in one write. Its id is the operation's. */
export async function createOrganization(
  { organizations, newId, now }: OrganizationPorts,
  input: { details: GivenDetails } & Pick<Organization, 'plan' | 'mode'>,
  call: Call,
): Promise<Organization> {
  const details = requireValid(readDetails({ ...input.details, name: input.details.name ?? '' }));
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
  { organizations, now }: OrganizationPorts,
  id: string,
  {
    issuePolicy,
    limits,
    ...changes
  }: {
    details: GivenDetails;
    issuePolicy?: { [K in keyof IssuePolicy]?: IssuePolicy[K] | undefined };
    limits?: { [K in keyof Limits]?: number | undefined };
  } & Partial<Pick<Organization, 'plan' | 'billingStatus'>>,
): Promise<Organization> {
  const before = await getOrganization({ organizations }, id);
  const today = businessDate(now(), before.details.timezone);
  const checked = requireValid(
    allValid({
      details: readDetails(changes.details),
      policy: checkIssuePolicy(issuePolicy ?? {}, today),
      limits: checkLimits(limits ?? {}),
    }),
  );
  const updated = await organizations.update(id, {
    ...changes,
    details: checked.details,
    ...(issuePolicy && { issuePolicy: { ...issuePolicyOf(before), ...checked.policy } }),
    ...(limits && { limits: { ...limitsOf(before), ...checked.limits } }),
  });
  if (!updated) throw notFoundError('the organisation');
  return updated;
}

// Each lost round means that another profile was added meanwhile.
const MAX_ROUNDS = 10;

/**
 * Adds a profile; its id is the operation's. Two profiles never print the same number: without a format of its own it gets one that
 * collides with none, and one that does collide is refused. Throws `not_found` or `validation`.
 */
export async function createProfile(
  { organizations, logos, newId }: OrganizationPorts,
  organizationId: string,
  input: ProfileInput,
  call: Call,
): Promise<Profile> {
  requireValid(checkProfile(input));
  // Before the profile that names it; without a profile it is a few idle bytes.
  const logoId = input.logo ? await logos.put(input.logo) : null;
  const id = call.operationId ?? newId();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { profiles } = await getOrganization({ organizations }, organizationId);
    const made = profiles.find((each) => each.id === id);
    if (made) return made;
    const taken = profiles.map(({ numberFormat }) => numberFormat);
    const profile: Profile = {
      id,
      name: input.name.trim(),
      numberFormat: input.numberFormat ?? freeNumberFormat(taken),
      accentColor: (input.accentColor ?? DEFAULT_ACCENT_COLOR).toLowerCase(),
      footer: input.footer ?? '',
      logoId,
    };
    const collides = taken.find((format) => formatsCollide(format, profile.numberFormat));
    if (collides !== undefined) {
      const message = `prints numbers that ${collides} of another profile prints too: add a prefix`;
      throw validationError([{ path: '/numberFormat', message }]);
    }
    if (await organizations.addProfile(organizationId, profile, profiles.length)) return profile;
  }
  throw new AppError('conflict', 'conflict', 'the profiles are being changed');
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
