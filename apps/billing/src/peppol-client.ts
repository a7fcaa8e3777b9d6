import { PeppolService } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import type { Peppol } from './invoices/invoice-ports';

/** Has the notification service send a document over Peppol. */
export function peppolClient(channel: RpcChannel): Peppol {
  const peppol = channel.client(PeppolService);
  return {
    begin: (organizationId, invoiceId, call) =>
      // Once begun it goes on, whether the caller waits for it or not.
      peppol.requestDelivery(
        { organizationId, invoiceId },
        newCallContext(0, { ...call, operationId: undefined, signal: undefined }),
      ),
  };
}
