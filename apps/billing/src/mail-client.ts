import { LettersService, MailService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import type { Mail } from './invoices/invoice-ports';
import type { ReminderMail } from './reminders/reminder-ports';

/** Has the notification service e-mail an invoice. */
export function mailClient(channel: RpcChannel): Mail {
  const mail = channel.client(MailService);
  const letters = channel.client(LettersService);
  return {
    sendInvoice: (organizationId, invoiceId, call) =>
      // Once sent it is sent, whether the caller waits for it or not.
      mail.sendInvoice(
        { organizationId, invoiceId },
        newCallContext(0, { ...call, operationId: undefined, signal: undefined }),
      ),
    resendInvoice: (organizationId, invoiceId, to, call) =>
      mail.resendInvoice({ organizationId, invoiceId, to }, newCallContext(0, { ...call, signal: undefined })),
    postInvoice: (organizationId, invoiceId, call) =>
      letters.postInvoice({ organizationId, invoiceId }, newCallContext(0, { ...call, signal: undefined })),
  };
}

const REMINDER_TIMEOUT_MS = 8_000;

/** Has the notification service e-mail or post a reminder. */
export function reminderMailClient(channel: RpcChannel): ReminderMail {
  const mail = channel.client(MailService);
  const letters = channel.client(LettersService);
  return {
    send: async ({ organizationId, invoiceId, _id: reminderId, channel: by }) => {
      const asked = { organizationId, invoiceId, reminderId };
      if (by === 'post') {
        const { status, error } = await letters.postReminder(asked, newCallContext(REMINDER_TIMEOUT_MS));
        return { sent: status === 'sent', error: error === 'rejected' ? 'letter_rejected' : error };
      }
      const { emailed, emailError } = await mail.sendReminder(asked, newCallContext(REMINDER_TIMEOUT_MS));
      return { sent: emailed, error: emailError };
    },
  };
}
