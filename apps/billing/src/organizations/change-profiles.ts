import { notFoundError, requireValid, validationError } from '@invoicing/errors';
import type { Ports } from '../billing-ports';
import { actorOfCall, type Call, type OrganizationChange } from '../invoices/invoice-ports';
import { collidingYears, formatsCollide, freeNumberFormat } from '../numbering/number-format';
import { differing, getOrganization, retryOnConflict, type OrganizationPorts } from './manage-organizations';
import { DEFAULT_ACCENT_COLOR, type Organization, type Profile } from './organization';
import { checkProfile, type ProfileInput } from './organization-input';
import { numberFormatOf } from './profile';
import { withNumbers, YEARS_AHEAD, type ProfileUpdate } from './profile-numbers';

/**
 * Adds a profile; its id is the operation's. Two profiles never print the same number: without a format of its own it gets one that
 * collides with none, and one that does collide is refused. Throws `not_found` or `validation`.
 */
export async function createProfile(
  ports: OrganizationPorts,
  organizationId: string,
  input: ProfileInput,
  call: Call,
): Promise<Profile> {
  requireValid(checkProfile(input));
  const { organizations, logos, newId } = ports;
  // Before the profile that names it; without a profile it is a few idle bytes.
  const logoId = input.logo ? await logos.put(input.logo) : null;
  const id = call.operationId ?? newId();
  return retryOnConflict(async () => {
    const organization = await getOrganization(ports, organizationId);
    const { profiles, revision = 0 } = organization;
    const made = profiles.find((each) => each.id === id);
    if (made) return made;
    const profile: Profile = {
      id,
      name: input.name.trim(),
      numberFormat: input.numberFormat ?? freeNumberFormat(profiles.flatMap(formatsOf)),
      accentColor: (input.accentColor ?? DEFAULT_ACCENT_COLOR).toLowerCase(),
      footer: input.footer ?? '',
      logoId,
      revision: revision + 1,
    };
    assertOwnNumbers(organization, profile);
    const change = { ...changeOf(profile, call), action: 'profile.created' } as const;
    return (await organizations.change(organization, change, { profiles: [...profiles, profile] })) && profile;
  });
}

/**
 * Changes the house style from now on, and how the numbers of a year look in which none is given yet. What is issued stays as it is.
 * Throws `not_found`, `validation`, `series_begun` or `revision_conflict`.
 */
export async function updateProfile(
  ports: OrganizationPorts & Pick<Ports, 'invoices'>,
  organizationId: string,
  profileId: string,
  { changes, year, revision }: ProfileUpdate,
  call: Call,
): Promise<Profile> {
  const logoId = await keptLogo(ports, changes.logo);
  return retryOnConflict(async () => {
    const organization = await getOrganization(ports, organizationId);
    const before = organization.profiles.find(({ id }) => id === profileId);
    if (!before) throw notFoundError('the profile');
    await ports.organizations.assertSeen(organization, before.revision ?? 0, revision);
    const styled = withStyle(before, changes, logoId);
    const numbered = await withNumbers(ports, organization, styled, changes, year);
    const fields = differing(before, numbered.profile).map((field) => FIELD_NAMES[field] ?? field);
    if (fields.length === 0) return before;
    const after = { ...numbered.profile, revision: (organization.revision ?? 0) + 1 };
    assertOwnNumbers(organization, after);
    const profiles = organization.profiles.map((each) => (each.id === profileId ? after : each));
    const change = { ...changeOf(after, call), action: 'profile.updated', fields } as const;
    return (await ports.organizations.change(organization, change, { profiles }, numbered.unopened)) && after;
  });
}

// A document may be dated some years before its seller came here.
const YEARS_BACK = 10;

// As the caller named them.
const FIELD_NAMES: Partial<Record<keyof Profile, string>> = {
  logoId: 'logo',
  laterFormats: 'numberFormat',
  starts: 'startNumber',
};

const changeOf = ({ id, name }: Profile, call: Call): Omit<OrganizationChange, 'action'> => ({
  by: actorOfCall(call),
  subject: { kind: 'profile', id, label: name },
  fields: [],
});

async function keptLogo({ logos }: OrganizationPorts, logo: Uint8Array | undefined): Promise<string | null> {
  if (!logo) return null;
  requireValid(checkProfile({ name: 'any', logo }));
  return logos.put(logo);
}

function withStyle(before: Profile, changes: ProfileUpdate['changes'], logoId: string | null): Profile {
  const name = 'name' in changes ? (changes.name ?? '') : before.name;
  const { accentColor = DEFAULT_ACCENT_COLOR, footer = '', numberFormat } = { ...before, ...changes };
  requireValid(checkProfile({ name, accentColor, footer, numberFormat: numberFormat ?? '' }));
  return {
    ...before,
    name: name.trim(),
    accentColor: accentColor.toLowerCase(),
    footer,
    ...('logo' in changes && { logoId }),
  };
}

const formatsOf = ({ numberFormat, laterFormats = [] }: Profile): string[] => [
  numberFormat,
  ...laterFormats.map((each) => each.numberFormat),
];

/** Throws `validation` when the profile could print a number that another one prints, or itself in another year. */
function assertOwnNumbers({ profiles, createdAt }: Organization, profile: Profile): void {
  const refuse = (message: string): never => {
    throw validationError([{ path: '/numberFormat', message }]);
  };
  const taken = profiles.filter(({ id }) => id !== profile.id).flatMap(formatsOf);
  const collides = taken.find((format) => formatsOf(profile).some((own) => formatsCollide(format, own)));
  if (collides !== undefined) refuse(`prints numbers that ${collides} of another profile prints too: add a prefix`);
  const { laterFormats = [] } = profile;
  if (laterFormats.length === 0) return;
  const [first, last] = [createdAt.getUTCFullYear() - YEARS_BACK, laterFormats.at(-1)!.fromYear + YEARS_AHEAD];
  const years = collidingYears((year) => numberFormatOf(profile, year), first, last);
  if (years) refuse(`prints numbers in ${years[1]} that were printed in ${years[0]}`);
}
