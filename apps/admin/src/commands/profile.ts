import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface ProfileFlags extends Record<string, unknown> {
  org: string;
  name: string;
  numberFormat?: string;
  accentColor?: string;
  footer?: string;
  logo?: string;
}

export function addProfile(program: Command): void {
  const profile = program.command('profile').description('profiles: house style and number series');

  verb<ProfileFlags>(profile, 'create', 'add a profile to an organisation', async (services, flags) => {
    const { id, name, numberFormat } = await services.organizations.createProfile(
      {
        organizationId: flags.org,
        name: flags.name,
        numberFormat: flags.numberFormat,
        style: {
          accentColor: flags.accentColor,
          footer: flags.footer,
          logo: flags.logo ? readFileSync(flags.logo) : undefined,
        },
      },
      operatorCall(),
    );
    return { id, name, numberFormat };
  })
    .requiredOption('--org <id>')
    .requiredOption('--name <name>')
    .option('--number-format <format>', 'e.g. "F-{YYYY}-{SEQ:5}"')
    .option('--accent-color <#rrggbb>')
    .option('--footer <text>', 'a line at the foot of every page')
    .option('--logo <file>', 'PNG or JPEG');
}
