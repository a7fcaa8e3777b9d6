import { MailService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { type CallContext, type RpcChannel } from '@invoicing/rpc';
import type { Mail } from './invoices/invoice-ports';

/** Has the notification service e-mail an invoice. */
export function mailClient(channel: RpcChannel): Mail {
  const mail = channel.client(MailService);
  return {
    sendInvoice: (organizationId, invoiceId, call: CallContext) =>
      // Once sent it is sent, whether the caller waits for it or not.
      mail.sendInvoice({ organizationId, invoiceId }, { ...call, operationId: undefined, signal: undefined }),
  };
}
