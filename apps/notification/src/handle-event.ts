import type { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import type { InvoiceMailer } from './mail/send-invoice-mail';

export interface EventHandlers {
  readonly mailer: Pick<InvoiceMailer, 'request'>;
}

/**
 * What notification does with an event: it only writes down what is to be done, each under an id that comes from the event or its
 * invoice, so that the same event again changes nothing. Workers do the rest.
 */
export const eventHandler =
  ({ mailer }: EventHandlers) =>
  async (event: Event): Promise<void> => {
    const { organizationId, invoiceIssued } = event;
    if (invoiceIssued?.email) await mailer.request({ organizationId, invoiceId: invoiceIssued.invoiceId });
  };
