import { LettersService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { bindService } from '@invoicing/rpc';
import { requireUuid } from '../request-rules';
import type { LetterStore } from './letter-store';

export const lettersService = (letters: LetterStore) =>
  bindService(
    LettersService,
    {
      listLetters: async ({ organizationId }) => {
        if (organizationId !== undefined) requireUuid({ organizationId });
        const found = await letters.list(organizationId);
        return {
          letters: found.map(({ _id: id, invoiceId, status, error, createdAt: at }) => ({
            id,
            invoiceId,
            status,
            error,
            at,
          })),
        };
      },
    },
    { listLetters: { callers: ['application', 'admin'], action: 'messages.read' } },
  );
