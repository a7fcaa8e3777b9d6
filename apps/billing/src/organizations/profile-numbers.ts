import { AppError, validationError } from '@invoicing/errors';
import { businessDate } from '../invoices/business-date';
import type { Ports } from '../billing-ports';
import { seriesName } from '../numbering/number-format';
import type { Organization, Profile } from './organization';
import type { ProfileInput } from './organization-input';
import { numberFormatOf } from './profile';

/** What changes of a profile: what is there, of which what is undefined is cleared. */
export interface ProfileUpdate {
  readonly changes: { readonly [K in keyof ProfileFields]?: ProfileFields[K] | undefined };
  /** Which year the format or the start is for; absent: the first one from this year on in which no number is given. */
  readonly year?: number | undefined;
  /** That the caller has seen. */
  readonly revision?: number | undefined;
}

interface ProfileFields extends Required<{ [K in keyof ProfileInput]: NonNullable<ProfileInput[K]> }> {
  readonly startNumber: number;
}

export const PROFILE_FIELDS = ['name', 'accentColor', 'footer', 'logo', 'numberFormat', 'startNumber'] as const;

const MAX_START = 999_999_999;
// A caller may date what is sent ten years ahead: until then a number may be given.
export const YEARS_AHEAD = 11;

/** The profile with its new numbers, and the series that must not have begun for it. */
export async function withNumbers(
  ports: Pick<Ports, 'invoices' | 'now'>,
  organization: Organization,
  profile: Profile,
  changes: ProfileUpdate['changes'],
  asked: number | undefined,
): Promise<{ readonly profile: Profile; readonly unopened: readonly string[] }> {
  const { numberFormat, startNumber = 1 } = changes;
  if (!('numberFormat' in changes || 'startNumber' in changes)) return { profile, unopened: [] };
  const thisYear = Number(businessDate(ports.now(organization._id), organization.details.timezone).slice(0, 4));
  if (asked !== undefined && !(asked >= thisYear - 1 && asked < thisYear + YEARS_AHEAD))
    throw validationError([
      { path: '/year', message: `must be from ${thisYear - 1} to ${thisYear + YEARS_AHEAD - 1}` },
    ]);
  if (!(Number.isInteger(startNumber) && startNumber >= 1 && startNumber <= MAX_START))
    throw validationError([{ path: '/details/startNumber', message: `must be from 1 to ${MAX_START}` }]);
  const last = thisYear + YEARS_AHEAD;
  // A format goes on in the years after it; a start is one year's, and of invoices only.
  const seriesFrom = (year: number): string[] =>
    numberFormat === undefined
      ? [seriesName(profile.id, 'invoice', String(year))]
      : Array.from({ length: last - year + 1 }, (_, at) => String(year + at)).flatMap((each) => [
          seriesName(profile.id, 'invoice', each),
          seriesName(profile.id, 'credit_note', each),
        ]);
  const isFree = async (year: number): Promise<boolean> => {
    const series = seriesFrom(year);
    const isOpened = organization.openedSeries?.some((each) => series.includes(each)) ?? false;
    return !isOpened && (await ports.invoices.begunSeries(organization._id, series)).length === 0;
  };
  let year = asked ?? thisYear;
  while (!(await isFree(year))) {
    if (asked !== undefined || year === last) throw seriesBegun(year);
    year++;
  }
  return { profile: renumbered(profile, changes, year), unopened: seriesFrom(year) };
}

const seriesBegun = (year: number): AppError =>
  new AppError('blocked', 'series_begun', `numbers of ${year} or a year after it are given: choose a later year`);

function renumbered(profile: Profile, changes: ProfileUpdate['changes'], year: number): Profile {
  const { numberFormat, startNumber = 1 } = changes;
  const { laterFormats = [], starts = [] } = profile;
  const formats = laterFormats.filter(({ fromYear }) => fromYear < year);
  const isNew =
    numberFormat !== undefined && numberFormatOf({ ...profile, laterFormats: formats }, year) !== numberFormat;
  const others = starts.filter((each) => each.year !== year);
  const begins = [...others, ...(startNumber === 1 ? [] : [{ year, startNumber }])];
  return {
    ...profile,
    ...(numberFormat !== undefined &&
      numberFormatOf(profile, year) !== numberFormat && {
        laterFormats: isNew ? [...formats, { fromYear: year, numberFormat }] : formats,
      }),
    ...('startNumber' in changes &&
      startNumber !== (starts.find((each) => each.year === year)?.startNumber ?? 1) && {
        starts: begins.sort((a, b) => a.year - b.year),
      }),
  };
}
