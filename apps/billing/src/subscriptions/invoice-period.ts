import { AppError } from '@invoicing/errors';
import type { TestScenario } from '@invoicing/rules';
import { suppliedIn, type Subscription } from './subscription';
import { createInvoice } from '../invoices/create-invoice';
import { issueDraft } from '../invoices/issue-draft';
import type { Ports } from '../billing-ports';
import type { Call } from '../invoices/invoice-ports';
import type { PeriodInvoices } from './subscription-ports';
import { sharedReads } from './batch-reads';

/** The invoices of periods, made as every other invoice is. Their e-mails are left to the events that the invoices carry. */
export function periodInvoices(ports: Ports, newCall: (operationId?: string) => Call): PeriodInvoices {
  const silent: Ports = {
    ...sharedReads(ports),
    mail: { ...ports.mail, sendInvoice: async () => ({ emailed: false, emailError: '' }) },
  };

  const create = (subscription: Subscription, invoiceId: string, send: boolean) => {
    const { organizationId, customerId, profileId, lines, nextIndex, nextRunDate, autoSendPost } = subscription;
    const { pricesIncludeVat, reference, note } = subscription;
    const input = {
      customerId,
      profileId,
      lines,
      issueDate: nextRunDate,
      scheduled: true,
      post: autoSendPost,
      send,
      pricesIncludeVat,
      reference,
      note,
      period: suppliedIn(subscription, { index: nextIndex, date: nextRunDate }),
    };
    const { testScenario } = subscription;
    return createInvoice(silent, organizationId, input, { ...newCall(invoiceId), testScenario });
  };
  const issue = (organizationId: string, invoiceId: string, email: boolean, testScenario?: TestScenario) =>
    issueDraft(silent, organizationId, invoiceId, { email, scheduled: true }, { ...newCall(), testScenario });

  return {
    make: async (subscription, invoiceId) => {
      const { organizationId, autoSendEmail, autoSendPost } = subscription;
      if (!autoSendEmail && !autoSendPost) {
        await unlessDeleted(create(subscription, invoiceId, false));
        return 'draft';
      }
      try {
        if (autoSendEmail) {
          const { emailError } = await create(subscription, invoiceId, true);
          // An earlier run met arrears and was cut off: its draft is still waiting.
          return emailError === 'draft' ? 'waiting' : 'issued';
        }
        await unlessDeleted(create(subscription, invoiceId, false));
        return (await unlessGone(issue(organizationId, invoiceId, false, subscription.testScenario)))
          ? 'issued'
          : 'draft';
      } catch (error) {
        if (!isArrears(error)) throw error;
        await unlessDeleted(create(subscription, invoiceId, false));
        return 'waiting';
      }
    },
    issue: async ({ organizationId, _id, email }) => {
      await unlessGone(issue(organizationId, _id, email));
    },
  };
}

export const isArrears = (error: unknown): boolean => error instanceof AppError && error.code === 'billing_readonly';

/** Somebody deleted the draft meanwhile: it is never made again. */
const unlessDeleted = (creation: Promise<unknown>): Promise<unknown> => unless('conflict', creation);

/** There is no draft to issue any more. One that is just being changed or issued is another matter: it is tried again. */
const unlessGone = (issue: Promise<unknown>): Promise<unknown> => unless('not_found', issue);

async function unless(code: string, work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code === code) return undefined;
    throw error;
  }
}
