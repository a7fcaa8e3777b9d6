import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface KeyFlags extends Record<string, unknown> {
  org?: string;
  profile?: string;
  scopes?: string[];
  expiresIn?: number;
  platform?: boolean;
}

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30d`, `12h`, `5m`, `10s` → milliseconds. */
function duration(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (!count || !unit) throw new InvalidArgumentError('a number and s, m, h or d, e.g. 30d');
  return Number(count) * UNIT_MS[unit]!;
}

export function addKey(program: Command): void {
  const key = program.command('key').description('API keys');

  verb<KeyFlags>(key, 'create', 'create a key; it is shown once', async (services, flags) => {
    if (!flags.platform && !flags.org) throw new Error('say whose key it is: --org <id>, or --platform');
    const { key: made, secret } = await services.keys.createKey(
      {
        organizationId: flags.org ?? '',
        profileId: flags.profile,
        scopes: flags.scopes ?? [],
        expiresAt: flags.expiresIn === undefined ? undefined : new Date(Date.now() + flags.expiresIn),
        platform: flags.platform === true,
      },
      operatorCall(),
    );
    return { id: made!.id, key: secret, prefix: made!.prefix, scopes: made!.scopes, expiresAt: made!.expiresAt };
  })
    .option('--org <id>')
    .option('--profile <id>', 'restrict it to one profile')
    .option('--scopes <list>', 'e.g. invoices:read,invoices:write, or all; without it none', (text) => text.split(','))
    .option('--expires-in <duration>', 'e.g. 30d', duration)
    .option('--platform', "platform billing's own key: grants mail credits");

  verb<{ org?: string }>(
    key,
    'list',
    'keys, newest first',
    async (services, flags) => (await services.keys.listKeys({ organizationId: flags.org }, operatorCall())).keys,
  ).option('--org <id>');

  verb(key, 'revoke <id>', 'stop a key; effective within 2 s', (services, _flags, id) =>
    services.keys.revokeKey({ keyId: id! }, operatorCall()),
  );
}
