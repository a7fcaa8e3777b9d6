import { randomUUID } from 'node:crypto';
import { CheckoutsService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { newCallContext } from '@invoicing/rpc';
import { type FragilePlatform } from './fragile-platform';
import { formOf, get, post } from './payer';
import { line } from './checkout-rig';

const GIVE_UP_MS = 120_000;
const CALL_TIMEOUT_MS = 3_000;

/** What one payer meant to pay. */
export interface PaidOrder {
  readonly checkoutId: string;
  readonly email: string;
  readonly amountCents: number;
}

/** One integrator makes a session and one payer pays it, both asking again until they are answered, as people and clients do. */
export async function payOnce(platform: FragilePlatform, organizationId: string, index: number): Promise<PaidOrder> {
  const operationId = randomUUID();
  const email = `payer-${index}@example.com`;
  const unitPriceCents = 100 + Math.floor(Math.random() * 90_000);
  const checkouts = platform.channel('checkout', 'gateway').client(CheckoutsService);
  const made = await retryUntilAnswered('create', () =>
    checkouts.createCheckout(
      {
        organizationId,
        title: `Order ${index}`,
        lines: [line('Brood', unitPriceCents)],
        customer: undefined,
        methods: [],
      },
      newCallContext(CALL_TIMEOUT_MS, { operationId }),
    ),
  );
  const { html } = await retryUntilAnswered('form', async () => {
    const page = await get(made.url);
    return formOf(page.html) === '' ? undefined : page;
  });
  const fields = { form: formOf(html), method: 'ideal', type: 'person', name: `Payer ${index}`, email };
  const { location } = await retryUntilAnswered('start', async () => {
    const answer = await post(made.url, fields);
    return answer.location.includes('/sandbox/pay/') ? answer : undefined;
  });
  await retryUntilAnswered('pay', async () => {
    const answer = await post(location, { outcome: 'paid' });
    return answer.status === 303 ? answer : undefined;
  });
  return { checkoutId: made.id, email, amountCents: made.amountInclCents };
}

/** Asks until there is an answer. */
export async function retryUntilAnswered<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const givesUpAt = Date.now() + GIVE_UP_MS;
  let last: unknown;
  while (Date.now() < givesUpAt) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 150));
  }
  throw new Error(`${what} is not answered after ${GIVE_UP_MS} ms`, { cause: last });
}
