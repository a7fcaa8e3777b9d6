import { randomUUID } from 'node:crypto';
import { AppError, notFoundError } from '@invoicing/errors';
import { BrandsService, type Brand } from '@invoicing/contracts/invoicing/billing/v1/brands';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { InvoiceMailsService } from '@invoicing/contracts/invoicing/billing/v1/invoice_mails';
import {
  DocumentFormat,
  type Invoice,
  InvoicesService,
  type RenderedInvoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { Mode, Organization, OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { type ReminderContent, RemindersService } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { serveRpc } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { openService, testIdentity } from '@invoicing/testing';
import { sampleInvoice } from './sample-invoice';

export type FakeBilling = Awaited<ReturnType<typeof startFakeBilling>>;

/** Billing's contract over real gRPC, kept in memory; that of the version before cannot tell a message as one. */
export async function startFakeBilling(port = 0, { isOfVersionBefore = false } = {}) {
  const invoices = new Map<string, Invoice>();
  const reminders = new Map<string, ReminderContent>();
  const organizations = new Set<string>();
  const testOrganizations = new Set<string>();
  const quotas = new Map<string, number>();
  /** What differs from the invoice's own. */
  const brands = new Map<string, Partial<Brand>>();
  const credits = new Map<string, { balance: number; letters: Map<string, 'reserved' | 'consumed' | 'released'> }>();

  const invoiceOf = ({ organizationId, invoiceId }: { organizationId: string; invoiceId: string }): Invoice => {
    const found = invoices.get(invoiceId);
    if (!found || found.organizationId !== organizationId) throw notFoundError('invoice');
    return found;
  };
  const ledgerOf = (organizationId: string) => {
    const found = credits.get(organizationId) ?? { balance: 0, letters: new Map() };
    credits.set(organizationId, found);
    return found;
  };
  const balanceOf = (organizationId: string) => {
    const { balance, letters } = ledgerOf(organizationId);
    return { balance, reserved: [...letters.values()].filter((state) => state === 'reserved').length };
  };
  const settle = (organizationId: string, letterId: string, to: 'consumed' | 'released') => {
    const ledger = ledgerOf(organizationId);
    const state = ledger.letters.get(letterId);
    if (!state) throw notFoundError('reservation');
    if (state === 'reserved' && to === 'released') ledger.balance++;
    if (state === 'reserved') ledger.letters.set(letterId, to);
    return balanceOf(organizationId);
  };

  const fileOf = ({ number }: Invoice, format: DocumentFormat): RenderedInvoice =>
    format === DocumentFormat.UBL
      ? { content: Buffer.from('<Invoice/>'), contentType: 'application/xml', fileName: `${number}.xml` }
      : { content: Buffer.from(`%PDF-1.7 ${number}`), contentType: 'application/pdf', fileName: `${number}.pdf` };
  const brandOf = ({ organizationId, seller, accentColor, test }: Invoice): Brand => {
    const { name = '', kvkNumber = '', btwId = '', email = '' } = seller ?? {};
    const own = { accentColor, test, sellerName: name, kvkNumber, btwId, email, phone: '', footer: '' };
    return { ...own, name, logo: undefined, ...brands.get(organizationId) };
  };
  const mailsService = openService(InvoiceMailsService, {
    getInvoiceMail: async (request) => {
      const invoice = invoiceOf(request);
      const ubl = invoice.hasEInvoice ? fileOf(invoice, DocumentFormat.UBL) : undefined;
      return { invoice, brand: brandOf(invoice), pdf: fileOf(invoice, DocumentFormat.PDF), ubl };
    },
  });

  const server = await serveRpc({
    host: '127.0.0.1',
    port,
    identity: testIdentity('billing'),
    log: createLogger('fake-billing', 'silent'),
    isHealthy: () => true,
    services: [
      openService(InvoicesService, {
        getInvoice: async (request) => invoiceOf(request),
        renderInvoice: async (request) => fileOf(invoiceOf(request), request.format),
      }),
      ...(isOfVersionBefore ? [] : [mailsService]),
      openService(BrandsService, {
        getBrand: async ({ organizationId, invoiceId = '' }) => brandOf(invoiceOf({ organizationId, invoiceId })),
      }),
      openService(OrganizationsService, {
        getOrganization: async ({ organizationId }) => {
          const isSeller = [...invoices.values()].some((invoice) => invoice.organizationId === organizationId);
          if (!organizations.has(organizationId) && !isSeller) throw notFoundError('organization');
          const limits = { mailQuotaPerDay: quotas.get(organizationId) };
          const mode = testOrganizations.has(organizationId) ? Mode.TEST : Mode.LIVE;
          return Organization.fromPartial({ id: organizationId, limits, mode });
        },
      }),
      openService(RemindersService, {
        describeReminder: async ({ reminderId }) => {
          const found = reminders.get(reminderId);
          if (!found) throw notFoundError('reminder');
          return found;
        },
        renderReminder: async ({ reminderId }) => {
          const { withdrawn } = reminders.get(reminderId)!;
          const content = Buffer.from(withdrawn ? '' : `%PDF-1.7 reminder ${reminderId}`);
          return { withdrawn, content, fileName: 'reminder.pdf' };
        },
      }),
      openService(CreditsService, {
        reserveCredit: async ({ organizationId, letterId }) => {
          const ledger = ledgerOf(organizationId);
          if (!ledger.letters.has(letterId)) {
            if (ledger.balance < 1) throw new AppError('blocked', 'no_credits', 'no credits left');
            ledger.balance--;
            ledger.letters.set(letterId, 'reserved');
          }
          return balanceOf(organizationId);
        },
        consumeCredit: async ({ organizationId, letterId }) => settle(organizationId, letterId, 'consumed'),
        releaseCredit: async ({ organizationId, letterId }) => settle(organizationId, letterId, 'released'),
      }),
    ],
  });

  return {
    address: `127.0.0.1:${server.port}`,
    port: server.port,
    invoices,
    /** What each says at this moment. */
    reminders,
    /** E-mails a day, by organisation. */
    quotas,
    brands,
    addOrganization: (credit = 0, { test = false } = {}): string => {
      const id = randomUUID();
      organizations.add(id);
      if (test) testOrganizations.add(id);
      ledgerOf(id).balance = credit;
      return id;
    },
    credits: (organizationId: string) => ledgerOf(organizationId),
    addInvoice: (organizationId: string, changes: Partial<Invoice> = {}): Invoice => {
      const invoice = sampleInvoice({ organizationId, ...changes });
      invoices.set(invoice.id, invoice);
      return invoice;
    },
    close: () => server.close(),
  };
}
