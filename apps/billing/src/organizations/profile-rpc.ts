import {
  type OrganizationsService,
  type Profile as ProtoProfile,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { notFoundError } from '@invoicing/errors';
import { maskedFields, type Handlers, type ServerCallContext } from '@invoicing/rpc';
import { businessDate } from '../invoices/business-date';
import type { Ports } from '../billing-ports';
import { createProfile, updateProfile } from './change-profiles';
import { getOrganization } from './manage-organizations';
import type { Organization, Profile } from './organization';
import { numberFormatOf, profileOf } from './profile';
import { PROFILE_FIELDS } from './profile-numbers';
import { previewProfile } from './preview-profile';

type ProfileHandlers = Pick<
  Handlers<typeof OrganizationsService>,
  'createProfile' | 'getProfile' | 'updateProfile' | 'previewProfile'
>;

/** What of the organisations' service is about their profiles. */
export function profileHandlers(ports: Ports): ProfileHandlers {
  // An operator may leave the organisation out; everybody else acts for the one they name.
  const ownerOf = async (organizationId: string, profileId: string, { caller }: ServerCallContext): Promise<string> => {
    if (organizationId !== '' || caller !== 'admin') return organizationId;
    const owner = await ports.organizations.organizationOf(profileId);
    if (owner === undefined) throw notFoundError('the profile');
    return owner;
  };
  const withLogo = async (organization: Organization, profile: Profile): Promise<ProtoProfile> => {
    const shown = profileMessage(organization._id, profile, yearOf(ports, organization));
    const logo = profile.logoId === null ? null : await ports.logos.find(profile.logoId);
    return { ...shown, style: { ...shown.style, ...(logo && { logo: Buffer.from(logo) }) } };
  };
  return {
    createProfile: async ({ organizationId, name, numberFormat, style }, call) => {
      const profile = await createProfile(ports, organizationId, { name, numberFormat, ...style }, call);
      return profileMessage(organizationId, profile, yearOf(ports, await getOrganization(ports, organizationId)));
    },
    getProfile: async ({ organizationId, profileId }, call) => {
      const organization = await getOrganization(ports, await ownerOf(organizationId, profileId, call));
      const profile = profileOf(organization, profileId);
      if (!profile) throw notFoundError('the profile');
      return withLogo(organization, profile);
    },
    updateProfile: async ({ organizationId, profileId, details, updateMask, year, revision }, call) => {
      const owner = await ownerOf(organizationId, profileId, call);
      const changes = maskedFields(details ?? {}, updateMask, PROFILE_FIELDS);
      const profile = await updateProfile(ports, owner, profileId, { changes, year, revision }, call);
      return withLogo(await getOrganization(ports, owner), profile);
    },
    previewProfile: async ({ organizationId, profileId, details }) => {
      const given = Object.entries(details ?? {}).filter(([, value]) => value !== undefined);
      const { numbers, sheet } = await previewProfile(ports, organizationId, profileId, Object.fromEntries(given));
      return { numbers: [...numbers], sheet: Buffer.from(sheet) };
    },
  };
}

/** The year that it is for an organisation. */
export const yearOf = ({ now }: Pick<Ports, 'now'>, { _id, details }: Organization): number =>
  Number(businessDate(now(_id), details.timezone).slice(0, 4));

/** As it is in this year; without the logo, which is large. */
export const profileMessage = (organizationId: string, profile: Profile, year: number): ProtoProfile => ({
  id: profile.id,
  organizationId,
  name: profile.name,
  numberFormat: numberFormatOf(profile, year),
  style: { accentColor: profile.accentColor, footer: profile.footer },
  laterFormats: (profile.laterFormats ?? []).filter(({ fromYear }) => fromYear > year),
  starts: [...(profile.starts ?? [])],
  revision: profile.revision ?? 0,
  hasLogo: profile.logoId !== null,
});
