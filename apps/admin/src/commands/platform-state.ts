import type { Command } from 'commander';
import type { NumberSeries } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { operatorCall } from '../platform';
import { numbersVerdict } from '../verdicts';
import { concluded, verb } from '../verb';

interface Verified {
  readonly series: readonly NumberSeries[];
}

/** Verbs about the platform as a whole: credits, numbers, mail, letters, maintenance, status. */
export function addPlatformState(program: Command): void {
  const credits = program.command('credits').description('mail credits');
  verb<{ org: string }>(credits, 'balance', 'what is left', (services, flags) =>
    services.credits.getCreditBalance({ organizationId: flags.org }, operatorCall()),
  ).requiredOption('--org <id>');

  const numbers = program.command('numbers').description('invoice numbers');
  verb<{ org?: string }, Verified>(
    numbers,
    'verify',
    're-derive count, contiguity and hash chain of every series from the store',
    async (services, flags) => {
      const { series } = await services.invoices.verifyNumbers({ organizationId: flags.org }, operatorCall(600_000));
      return { series };
    },
    ({ series }) => concluded('series', series, numbersVerdict(series)),
  ).option('--org <id>', 'one organisation only');

  const mail = program.command('mail').description('e-mail that was sent or is on its way');
  verb<{ to?: string; org?: string; invoice?: string }>(mail, 'list', 'newest first', async (services, flags) =>
    (
      await services.deliveries.mail.listMail(
        { to: flags.to, organizationId: flags.org, invoiceId: flags.invoice, limit: 0 },
        operatorCall(),
      )
    ).messages.map(({ by, ...mail }) => ({ ...mail, ...(by && { resentBy: by.label ?? by.id }) })),
  )
    .option('--to <address>')
    .option('--invoice <id>', 'all messages about an invoice; together with --org')
    .option('--org <id>');

  const letters = program.command('letter').description('letters on paper');
  verb<{ org?: string }>(
    letters,
    'list',
    'newest first',
    async (services, flags) =>
      (await services.deliveries.letters.listLetters({ organizationId: flags.org }, operatorCall())).letters,
  ).option('--org <id>');

  const maintenance = program.command('maintenance').description('the switch that answers 501 to every API call');
  verb(maintenance, 'on', 'answer 501 unavailable', (services) =>
    services.maintenance.setMaintenance({ on: true }, operatorCall()),
  );
  verb(maintenance, 'off', 'serve again', (services) =>
    services.maintenance.setMaintenance({ on: false }, operatorCall()),
  );

  verb(program, 'status', 'whether every part of the platform works', async (services) => {
    const response = await fetch(`${services.gatewayUrl}/api/health`, { signal: AbortSignal.timeout(5_000) }).catch(
      (cause: unknown) => {
        throw new Error(`${services.gatewayUrl} does not answer: is the platform running? (npm start)`, { cause });
      },
    );
    const { data } = (await response.json()) as { data: object };
    const { on } = await services.maintenance.getMaintenance({}, operatorCall());
    return { gateway: services.gatewayUrl, ...data, maintenance: on };
  });
}
