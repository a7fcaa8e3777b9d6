import { Option, type Command } from 'commander';
import type { Checkout, CheckoutStatus } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall } from '../platform';
import { verb } from '../verb';
import { wholeNumber } from './invoice-account';

interface ListFlags {
  org: string;
  status?: string;
  profile?: string;
  limit: number;
  cursor?: string;
  [flag: string]: unknown;
}

/** The API calls a cancelled checkout expired; operators are told more. */
const shown = ({ status, ...checkout }: Checkout) => ({
  ...checkout,
  status: checkout.canceledAt && status !== 'CHECKOUT_STATUS_PAID' ? 'canceled' : wordOf('CHECKOUT_STATUS', status),
});

export function addCheckout(program: Command): void {
  const checkout = program.command('checkout').description('hosted checkouts of an organisation');

  verb<ListFlags>(
    checkout,
    'list',
    'checkouts, newest first',
    async ({ checkouts }, { org, profile, status, limit, cursor }) => {
      const asked = { organizationId: org, profileId: profile, limit, cursor };
      const wanted = status ? enumOf<CheckoutStatus>('CHECKOUT_STATUS', status) : undefined;
      const page = await checkouts.listCheckouts({ ...asked, status: wanted }, operatorCall());
      return { checkouts: page.checkouts.map(shown), cursor: page.cursor ?? null };
    },
  )
    .requiredOption('--org <id>')
    .addOption(new Option('--status <status>', 'expired: the cancelled ones too').choices(['open', 'paid', 'expired']))
    .option('--profile <id>', 'only of this profile')
    .option('--limit <n>', '1 to 100', wholeNumber, 50)
    .option('--cursor <cursor>', 'as the page before answered it');

  const ofOne = (name: string, description: string, method: 'getCheckout' | 'cancelCheckout'): Command =>
    verb<{ org?: string }>(checkout, `${name} <id>`, description, async ({ checkouts }, { org = '' }, id) =>
      shown(await checkouts[method]({ organizationId: org, checkoutId: id! }, operatorCall())),
    ).option('--org <id>', 'only if it belongs to this organisation');

  ofOne('show', 'one checkout', 'getCheckout');
  ofOne(
    'cancel',
    'end an open checkout, so that nobody can begin to pay it; money on its way still makes an invoice',
    'cancelCheckout',
  );
}
