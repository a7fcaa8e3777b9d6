import { DEFAULT_NUMBER_FORMAT } from '../numbering/number-format';
import type { Organization, Profile } from './organization';

/** The named profile of the organisation, or its default. */
export const profileOf = (organization: Organization, profileId: string | undefined): Profile | undefined =>
  profileId === undefined ? organization.profiles[0] : organization.profiles.find(({ id }) => id === profileId);

/** How the numbers of a profile look; the profile is known to be there. */
export const numberFormatOf = (organization: Organization, profileId: string): string =>
  profileOf(organization, profileId)?.numberFormat ?? DEFAULT_NUMBER_FORMAT;
