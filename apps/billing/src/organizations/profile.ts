import { DEFAULT_NUMBER_FORMAT, formatNumber, formatOfKind, type SeriesKind } from '../numbering/number-format';
import type { Organization, Profile } from './organization';

/** The named profile of the organisation, or its default. */
export const profileOf = (organization: Organization, profileId: string | undefined): Profile | undefined =>
  profileId === undefined ? organization.profiles[0] : organization.profiles.find(({ id }) => id === profileId);

/** How the numbers of a profile look in a year. */
export const numberFormatOf = (
  { numberFormat, laterFormats = [] }: Pick<Profile, 'numberFormat' | 'laterFormats'>,
  year: number,
): string => laterFormats.findLast(({ fromYear }) => fromYear <= year)?.numberFormat ?? numberFormat;

/** Prints the numbers of one series of a profile; the first has the place 1, whatever number it begins at. */
export function numberPrinter(
  profile: Pick<Profile, 'numberFormat' | 'laterFormats' | 'starts'> | undefined,
  kind: SeriesKind,
  year: string,
): (seq: number) => string {
  const format = profile ? numberFormatOf(profile, Number(year)) : DEFAULT_NUMBER_FORMAT;
  const start = profile?.starts?.find((each) => each.year === Number(year) && kind === 'invoice')?.startNumber ?? 1;
  const ofKind = formatOfKind(format, kind);
  return (seq) => formatNumber(ofKind, year, start - 1 + seq);
}
