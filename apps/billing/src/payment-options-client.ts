import { CheckoutsService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';

const TIMEOUT_MS = 1_000;

/** Asks checkout whether and where an invoice can be paid online. */
export function paymentOptionsClient(channel: RpcChannel) {
  const checkouts = channel.client(CheckoutsService);
  return (organizationId: string, publicToken: string): Promise<{ available: boolean; url: string }> =>
    checkouts.getInvoicePaymentOptions({ organizationId, publicToken }, newCallContext(TIMEOUT_MS));
}
