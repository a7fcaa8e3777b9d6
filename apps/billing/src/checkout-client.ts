import { CheckoutsService, RefundsService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import type { Cashier } from './account/account-ports';

const TIMEOUT_MS = 1_000;
const PROGRESS_TIMEOUT_MS = 3_000;
/** A provider's refund is worth some patience; what is not known by then is asked again. */
const REFUND_TIMEOUT_MS = 10_000;
// What is left for the way back to the caller.
const ANSWER_MS = 150;

/** Asks checkout whether and where an invoice can be paid online. */
export function paymentOptionsClient(channel: RpcChannel) {
  const checkouts = channel.client(CheckoutsService);
  return (organizationId: string, publicToken: string): Promise<{ available: boolean; url: string }> =>
    checkouts.getInvoicePaymentOptions({ organizationId, publicToken }, newCallContext(TIMEOUT_MS));
}

/** Has checkout give money back through the provider that it came from. */
export function cashierClient(channel: RpcChannel): Cashier {
  const refunds = channel.client(RefundsService);
  return {
    refund: async ({ checkoutId, ...refund }, call) => {
      const deadline = Math.min(call.deadline - ANSWER_MS, Date.now() + REFUND_TIMEOUT_MS);
      const context = newCallContext(0, { ...call, deadline, operationId: refund.entryId, signal: undefined });
      const request = { ...refund, checkoutId: checkoutId ?? undefined };
      const { refundId, refused } = await refunds.refundPayment(request, context);
      return refused === '' ? { providerId: refundId } : { refused };
    },
  };
}

/** Whether somebody is paying an invoice now. Who is not answered does not know: it is asked again later. */
export function paymentProgressClient(channel: RpcChannel) {
  const checkouts = channel.client(CheckoutsService);
  return async (organizationId: string, invoiceId: string): Promise<boolean> =>
    (await checkouts.getInvoicePaymentProgress({ organizationId, invoiceId }, newCallContext(PROGRESS_TIMEOUT_MS)))
      .inProcess;
}
