import { randomUUID } from 'node:crypto';
import { validationError } from '@invoicing/errors';
import { MailService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { bindService, listLimit } from '@invoicing/rpc';
import { LIST, requireUuid } from '../request-rules';
import type { MailDocument, MailStore } from './mail-store';
import type { InvoiceMailer } from './invoice-mailer';
import { sendSignIn, type SignInMailPorts } from './send-sign-in';

// The contract promises an answer within 5 s; what a caller's shorter deadline leaves, less the way back.
const LONGEST_WAIT_MS = 4_800;
const WAY_BACK_MS = 200;

export const mailService = (mailer: InvoiceMailer, mails: MailStore, signIn: SignInMailPorts) =>
  bindService(
    MailService,
    {
      sendInvoice: async ({ organizationId, invoiceId }, context) => {
        requireUuid({ organizationId, invoiceId });
        const waitMs = Math.min(LONGEST_WAIT_MS, context.deadline - Date.now() - WAY_BACK_MS);
        return mailer.sendNow({ organizationId, invoiceId }, Math.max(0, waitMs), context.testScenario);
      },
      resendInvoice: async ({ organizationId, invoiceId, to }, { operationId = randomUUID(), deadline, by }) => {
        requireUuid({ organizationId, invoiceId });
        const waitMs = Math.min(LONGEST_WAIT_MS, deadline - Date.now() - WAY_BACK_MS);
        return mailer.resend({ organizationId, invoiceId }, { id: operationId, to, by }, Math.max(0, waitMs));
      },
      sendReminder: async ({ organizationId, invoiceId, reminderId }, { deadline }) => {
        requireUuid({ organizationId, invoiceId, reminderId });
        const waitMs = Math.min(LONGEST_WAIT_MS, deadline - Date.now() - WAY_BACK_MS);
        return mailer.remind({ organizationId, invoiceId }, reminderId, Math.max(0, waitMs));
      },
      sendSignIn: async (request, { signal }) => {
        await sendSignIn(signIn, request, signal);
        return {};
      },
      listMail: async ({ to, organizationId, invoiceId, limit }) => {
        if (organizationId !== undefined) requireUuid({ organizationId });
        if (invoiceId !== undefined) requireUuid({ invoiceId });
        if (invoiceId !== undefined && organizationId === undefined)
          throw validationError([{ path: '/organizationId', message: 'goes with the invoice' }]);
        if (to !== undefined && to.length > 320) throw validationError([{ path: '/to', message: 'is too long' }]);
        const found = await mails.list({ to, organizationId, invoiceId }, listLimit(limit, LIST));
        return { messages: found.map(toMessage) };
      },
    },
    {
      sendInvoice: { callers: ['billing'] },
      resendInvoice: { callers: ['billing'] },
      sendReminder: { callers: ['billing'] },
      sendSignIn: { callers: ['application'] },
      listMail: { callers: ['application', 'admin'], action: 'messages.read' },
    },
  );

const toMessage = (mail: MailDocument) => ({
  id: mail._id,
  to: mail.to,
  subject: mail.subject,
  at: mail.createdAt,
  attachments: mail.attachments,
  status: mail.status,
  error: mail.error,
  reason: mail.reason ?? '',
  invoiceId: mail.invoiceId,
  by: mail.resend?.by,
});
