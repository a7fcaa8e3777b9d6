import { BrandsService, type Brand as BrandMessage } from '@invoicing/contracts/invoicing/billing/v1/brands';
import { InvoiceMailsService } from '@invoicing/contracts/invoicing/billing/v1/invoice_mails';
import {
  DocumentFormat,
  InvoicesService,
  type Invoice,
  type RenderedInvoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { ClocksService } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { RemindersService, type ReminderContent } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { Mode, type OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { FreshCache } from '@invoicing/concurrency';
import { brand, type Brand } from '@invoicing/design';
import type { Ahead } from '@invoicing/mongo';
import { isUnimplemented, newCallContext, type RpcChannel, type RpcClient } from '@invoicing/rpc';
import type { MailAttachment } from './mail/mail-transport';

/** What mail and letters need of billing. */
export interface InvoiceSource {
  /** Throws AppError `absent`. Each call ends when its `signal` does. */
  get: (of: InvoiceRef, timeoutMs: number, signal?: AbortSignal) => Promise<Invoice>;
  pdf: (of: InvoiceRef, timeoutMs: number, signal?: AbortSignal) => Promise<MailAttachment>;
  ubl: (of: InvoiceRef, timeoutMs: number, signal?: AbortSignal) => Promise<MailAttachment>;
  /** All that a message about an issued document is made of. */
  mail: (of: InvoiceRef, timeoutMs: number, signal?: AbortSignal) => Promise<InvoiceMailContent>;
  /** What a reminder says now, or that there is nothing to remind of. */
  reminder: (
    of: { readonly organizationId: string; readonly reminderId: string },
    timeoutMs: number,
    signal?: AbortSignal,
  ) => Promise<ReminderContent>;
  /** A reminder on paper, as it is now; undefined when there is nothing to remind of. */
  reminderLetter: (
    of: { readonly organizationId: string; readonly reminderId: string },
    timeoutMs: number,
  ) => Promise<MailAttachment | undefined>;
}

export interface InvoiceRef {
  readonly organizationId: string;
  readonly invoiceId: string;
}

/** A document as it is now, how its seller shows itself on it, and its files: the PDF, and the UBL where there can be one. */
export interface InvoiceMailContent {
  readonly invoice: Invoice;
  readonly brand: Brand;
  readonly files: readonly MailAttachment[];
}

export function invoiceSource(billing: RpcChannel): InvoiceSource {
  const invoices = billing.client(InvoicesService);
  const brands = billing.client(BrandsService);
  const mails = billing.client(InvoiceMailsService);
  const reminders = billing.client(RemindersService);
  const call = (timeoutMs: number, signal: AbortSignal | undefined) =>
    newCallContext(timeoutMs, { ...(signal && { signal }) });
  const render = async (
    of: InvoiceRef,
    format: DocumentFormat,
    ...limits: Parameters<typeof call>
  ): Promise<MailAttachment> => {
    const { organizationId, invoiceId } = of;
    return attachment(await invoices.renderInvoice({ organizationId, invoiceId, format }, call(...limits)));
  };
  const get: InvoiceSource['get'] = ({ organizationId, invoiceId }, timeoutMs, signal) =>
    invoices.getInvoice({ organizationId, invoiceId }, call(timeoutMs, signal));
  const pdf: InvoiceSource['pdf'] = (of, ...limits) => render(of, DocumentFormat.PDF, ...limits);
  const ubl: InvoiceSource['ubl'] = (of, ...limits) => render(of, DocumentFormat.UBL, ...limits);
  /** From a billing of the version before, which answers it in parts only. */
  const mailInParts: InvoiceSource['mail'] = async (of, timeoutMs, signal) => {
    const { organizationId, invoiceId } = of;
    const invoice = await get(of, timeoutMs, signal);
    const [style, ...files] = await Promise.all([
      brands.getBrand({ organizationId, invoiceId }, call(timeoutMs, signal)),
      pdf(of, timeoutMs, signal),
      ...(invoice.hasEInvoice ? [ubl(of, timeoutMs, signal)] : []),
    ]);
    return { invoice, brand: brandOf(style), files };
  };
  return {
    get,
    pdf,
    ubl,
    mail: async (of, timeoutMs, signal) => {
      const { organizationId, invoiceId } = of;
      try {
        const found = await mails.getInvoiceMail({ organizationId, invoiceId }, call(timeoutMs, signal));
        const { invoice, brand: style, pdf: sheet, ubl: eInvoice } = found;
        const files = [sheet!, ...(eInvoice ? [eInvoice] : [])].map(attachment);
        return { invoice: invoice!, brand: brandOf(style!), files };
      } catch (error) {
        if (!isUnimplemented(error)) throw error;
        return mailInParts(of, timeoutMs, signal);
      }
    },
    reminder: ({ organizationId, reminderId }, timeoutMs, signal) =>
      reminders.describeReminder({ organizationId, reminderId }, call(timeoutMs, signal)),
    reminderLetter: async (of, timeoutMs) => {
      const { withdrawn, content, fileName } = await reminders.renderReminder(of, call(timeoutMs, undefined));
      if (withdrawn) return undefined;
      return { content: Buffer.from(content), contentType: 'application/pdf', filename: fileName };
    },
  };
}

const attachment = ({ content, contentType, fileName }: RenderedInvoice): MailAttachment => ({
  content,
  contentType,
  filename: fileName,
});

function brandOf(found: BrandMessage): Brand {
  const { sellerName, kvkNumber, btwId, email, phone } = found;
  return brand({ ...found, seller: { name: sellerName, kvkNumber, btwId, email, phone } });
}

const CLOCKS_TIMEOUT_MS = 2_000;

/** How far the clocks of test organisations run ahead. */
export function clocksClient(billing: RpcChannel): () => Promise<Ahead> {
  const clocks = billing.client(ClocksService);
  return async () => {
    const found = await clocks.listClocks({}, newCallContext(CLOCKS_TIMEOUT_MS));
    return new Map(found.clocks.map(({ organizationId, aheadMs }) => [organizationId, aheadMs]));
  };
}

// An operator who raises it need not wait long; an older answer serves while billing does not answer.
const QUOTA_AGE = { freshMs: 5_000, usableMs: 60_000, onFailureMs: 3_600_000 };
const CALL_MS = 5_000;
/** Of a billing of the version before, which does not say. */
const DEFAULT_QUOTA = 1_000;

// Its mode never changes.
const MODE_AGE = { freshMs: 3_600_000, usableMs: 86_400_000, onFailureMs: 86_400_000 };

/** Whether an organisation is a test organisation; while billing was never reached, it is taken for none. */
export function testModeSource(organizations: Pick<RpcClient<typeof OrganizationsService>, 'getOrganization'>) {
  const modes = new FreshCache(async (organizationId: string) => {
    const { mode } = await organizations.getOrganization({ organizationId }, newCallContext(CALL_MS));
    return mode === Mode.TEST;
  }, MODE_AGE);
  return async (organizationId: string): Promise<boolean> => {
    try {
      return await modes.get(organizationId);
    } catch {
      // Following on a laptop is no reason to hold up e-mails and webhooks.
      return false;
    }
  };
}

/** Whether an organisation is live or test. Throws `not_found`, or that billing does not answer. */
export const organizationMode =
  (organizations: Pick<RpcClient<typeof OrganizationsService>, 'getOrganization'>) =>
  async (organizationId: string): Promise<'live' | 'test'> => {
    const { mode } = await organizations.getOrganization({ organizationId }, newCallContext(CALL_MS));
    return mode === Mode.TEST ? 'test' : 'live';
  };

/** How many messages a day an organisation may send. */
export function mailQuotaSource(organizations: Pick<RpcClient<typeof OrganizationsService>, 'getOrganization'>) {
  const quotas = new FreshCache(async (organizationId: string) => {
    const { limits } = await organizations.getOrganization({ organizationId }, newCallContext(CALL_MS));
    return limits?.mailQuotaPerDay ?? DEFAULT_QUOTA;
  }, QUOTA_AGE);
  return (organizationId: string): number | Promise<number> => quotas.get(organizationId);
}
