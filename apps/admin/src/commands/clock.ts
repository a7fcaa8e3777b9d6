import type { Command } from 'commander';
import type { Clock } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { operatorCall, type Services } from '../platform';
import { verb } from '../verb';

interface Org extends Record<string, unknown> {
  org: string;
}

/** `clock show|set|advance|clear`: the time in which a test organisation lives. */
export function addClock(program: Command): void {
  const clock = program.command('clock').description('the time in which a test organisation lives, and no other');
  const add = <F extends Org>(
    name: string,
    description: string,
    run: (clocks: Services['clocks'], flags: F) => Promise<Clock>,
  ): Command =>
    verb<F, Clock>(clock, name, description, ({ clocks }, flags) => run(clocks, flags)).requiredOption(
      '--org <id>',
      'a test organisation',
    );

  add('show', 'what time it is there', (clocks, { org: organizationId }) =>
    clocks.getClock({ organizationId }, operatorCall()),
  );
  add<Org & { at: string }>('set', 'move the clock forward to a time', (clocks, { org: organizationId, at }) =>
    clocks.moveClock({ organizationId, at: instant(at) }, operatorCall()),
  ).requiredOption('--at <time>', 'e.g. 2027-01-31T09:00:00Z');
  add<Org & { by: string }>('advance', 'move the clock forward by a duration', (clocks, { org: organizationId, by }) =>
    clocks.moveClock({ organizationId, by }, operatorCall()),
  ).requiredOption('--by <duration>', 'ISO 8601: P1M, P7D, PT2H');
  add('clear', 'back to real time', (clocks, { org: organizationId }) =>
    clocks.clearClock({ organizationId }, operatorCall()),
  );
}

function instant(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new Error('--at must be a time such as 2027-01-31T09:00:00Z');
  return at;
}
