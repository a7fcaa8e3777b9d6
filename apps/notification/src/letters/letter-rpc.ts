import { randomUUID } from 'node:crypto';
import { LettersService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { bindService } from '@invoicing/rpc';
import { requireUuid } from '../request-rules';
import type { InvoiceSource } from '../billing-client';
import type { LetterDocument, LetterStore } from './letter-store';

export const lettersService = (letters: LetterStore, invoices: Pick<InvoiceSource, 'get'>) =>
  bindService(
    LettersService,
    {
      postInvoice: async ({ organizationId, invoiceId }, { operationId = randomUUID(), by, deadline }) => {
        requireUuid({ organizationId, invoiceId });
        const { number } = await invoices.get({ organizationId, invoiceId }, deadline - Date.now());
        return toLetter(await letters.post({ organizationId, invoiceId }, operationId, by, number));
      },
      postReminder: async ({ organizationId, invoiceId, reminderId }) => {
        requireUuid({ organizationId, invoiceId, reminderId });
        return toLetter(await letters.remind({ organizationId, invoiceId, reminderId }));
      },
      listLetters: async ({ organizationId }) => {
        if (organizationId !== undefined) requireUuid({ organizationId });
        const found = await letters.list(organizationId);
        return { letters: found.map(toLetter) };
      },
    },
    {
      postInvoice: { callers: ['billing'] },
      postReminder: { callers: ['billing'] },
      listLetters: { callers: ['application', 'admin'], action: 'messages.read' },
    },
  );

const toLetter = ({ _id: id, invoiceId, reminderId, status, error, createdAt: at }: LetterDocument) => ({
  ...{ id, invoiceId, reminderId },
  status,
  error,
  at,
});
