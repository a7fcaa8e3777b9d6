import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Profile } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { operatorCall } from '../platform';
import { verb } from '../verb';
import { wholeNumber } from './invoice-account';

interface StyleFlags extends Record<string, unknown> {
  name?: string;
  numberFormat?: string;
  accentColor?: string;
  footer?: string;
  logo?: string;
}

interface UpdateFlags extends StyleFlags {
  accent?: string;
  startNumber?: number;
  year?: number;
  clear?: string[];
  revision?: number;
}

const shown = ({ style, laterFormats, starts, ...profile }: Profile) => ({
  id: profile.id,
  name: profile.name,
  numberFormat: profile.numberFormat,
  laterFormats,
  starts,
  accentColor: style?.accentColor,
  footer: style?.footer ?? '',
  hasLogo: profile.hasLogo,
  revision: profile.revision,
});

const rowOf = ({ laterFormats, starts, ...profile }: ReturnType<typeof shown>) => ({
  ...profile,
  later: laterFormats.map(({ fromYear, numberFormat }) => `${numberFormat} from ${fromYear}`).join(', '),
  starts: starts.map(({ year, startNumber }) => `${startNumber} in ${year}`).join(', '),
});

const withStyle = (command: Command): Command =>
  command
    .option('--number-format <format>', 'e.g. "F-{YYYY}-{SEQ:5}"')
    .option('--accent-color <#rrggbb>')
    .option('--footer <text>', 'a line at the foot of every page')
    .option('--logo <file>', 'PNG or JPEG');

const fileOf = (logo: string | undefined) => (logo === undefined ? undefined : readFileSync(logo));

export function addProfile(program: Command): void {
  const profile = program.command('profile').description('profiles: house style and number series');

  withStyle(
    verb<StyleFlags & { org: string; name: string }, ReturnType<typeof shown>>(
      profile,
      'create',
      'add a profile to an organisation',
      async ({ organizations }, { org, name, numberFormat, logo, ...style }) => {
        const request = { organizationId: org, name, numberFormat, style: { ...style, logo: fileOf(logo) } };
        return shown(await organizations.createProfile(request, operatorCall()));
      },
      rowOf,
    ),
  )
    .requiredOption('--org <id>')
    .requiredOption('--name <name>');

  verb<{ org: string }, ReturnType<typeof shown>[]>(
    profile,
    'list',
    'the profiles of an organisation; the first is the default',
    async ({ organizations }, { org }) =>
      (await organizations.getOrganization({ organizationId: org }, operatorCall())).profiles.map(shown),
    (profiles) => profiles.map(rowOf),
  ).requiredOption('--org <id>');

  verb<StyleFlags, ReturnType<typeof shown>>(
    profile,
    'show <id>',
    'one profile',
    async ({ organizations }, _flags, id) =>
      shown(await organizations.getProfile({ organizationId: '', profileId: id! }, operatorCall())),
    rowOf,
  );
  addUpdate(profile);
}

function addUpdate(profile: Command): void {
  withStyle(
    verb<UpdateFlags, ReturnType<typeof shown>>(
      profile,
      'update <id>',
      'change what is given; what is issued stays as it is',
      async ({ organizations }, { accent, logo, year, revision, clear = [], ...flags }, id) => {
        const details = {
          ...flags,
          ...(accent !== undefined && { accentColor: accent }),
          ...(logo !== undefined && { logo: fileOf(logo) }),
        };
        const updateMask = [...Object.keys(details), ...clear];
        const request = { organizationId: '', profileId: id!, details, updateMask, year, revision };
        return shown(await organizations.updateProfile(request, operatorCall()));
      },
      rowOf,
    ),
  )
    .option('--name <name>')
    .option('--accent <#rrggbb>', 'the same as --accent-color')
    .option('--start-number <n>', 'number of the first invoice of a year that has none yet', wholeNumber)
    .option('--year <year>', 'which year the format or start is for; the first without numbers when left out', Number)
    .option('--clear <fields>', 'fields to empty: logo, footer, accentColor, startNumber', (text) => text.split(','))
    .option('--revision <n>', 'refuse when it has changed since this revision', Number);
}
