import { writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import {
  InvoiceKind,
  InvoiceStatus,
  type DocumentFormat,
  type Invoice,
  type InvoiceSummary,
  type ListedStatus,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall } from '../platform';
import { verb } from '../verb';
import { shownAccount, wholeNumber } from './invoice-account';

interface Org extends Record<string, unknown> {
  /** An operator needs none: an id names one invoice. */
  org?: string;
}

const inWords = <T extends { readonly vatTreatment: VatTreatment }>(part: T) => ({
  ...part,
  vatTreatment: wordOf('VAT_TREATMENT', part.vatTreatment),
});

/** An invoice with its words as the API has them. */
export const shownInvoice = (invoice: Invoice) => ({
  ...invoice,
  status: wordOf('INVOICE_STATUS', invoice.status),
  kind: wordOf('INVOICE_KIND', invoice.kind),
  lines: invoice.lines.map(inWords),
});

const withOrg = (command: Command): Command => command.option('--org <id>', 'only if it belongs to this organisation');

/** Answers the noun, to which the verbs of an invoice's account are added. */
export function addInvoice(program: Command): Command {
  const invoice = program.command('invoice').description('invoices: what the application does, for operators');

  withOrg(
    verb<Org & { skipEmail?: boolean }>(
      invoice,
      'issue <id>',
      'number, lock and e-mail a draft',
      (services, flags, id) =>
        services.invoices.issueInvoice(
          { organizationId: flags.org ?? '', invoiceId: id!, skipEmail: flags.skipEmail === true },
          operatorCall(),
        ),
    ),
  ).option('--skip-email', 'number and lock only');

  withOrg(
    verb<Org & { reason?: string; lines?: string[]; amountCents?: number }>(
      invoice,
      'credit <id>',
      'issue a credit note: whole, by lines or of an amount',
      (services, flags, id) =>
        services.invoices.creditInvoice(
          {
            organizationId: flags.org ?? '',
            invoiceId: id!,
            reason: flags.reason ?? '',
            lines: (flags.lines ?? []).map((each) => {
              const [line, quantity] = each.split(':');
              return { line: Number(line), quantity };
            }),
            amountCents: flags.amountCents,
          },
          { ...operatorCall(), operationId: randomUUID() },
        ),
    ),
  )
    .option('--reason <text>', 'shown on the credit note')
    .option('--amount-cents <n>', 'so many cents including VAT, instead of lines', wholeNumber)
    .option('--lines <list>', 'line[:quantity], from 0, e.g. 0,2:1.5; all that is left when left out', (text) =>
      text.split(','),
    );

  withOrg(
    verb<Org, ReturnType<typeof shownInvoice>>(
      invoice,
      'show <id>',
      'one invoice, and what is owed on it',
      async (services, flags, id) => {
        const named = { organizationId: flags.org ?? '', invoiceId: id! };
        const found = await services.invoices.getInvoice(named, operatorCall());
        const hasAccount = found.kind === InvoiceKind.INVOICE && found.status !== InvoiceStatus.DRAFT;
        const account = hasAccount ? await services.accounts.getAccount(named, operatorCall()) : undefined;
        return { ...shownInvoice(found), ...(account && { account: shownAccount(account) }) };
      },
      // Programs get the groups as the contract names them.
      (shown) => ({
        ...shown,
        totals: shown.totals && { ...shown.totals, groups: shown.totals.groups.map(inWords) },
      }),
    ),
  );

  addList(invoice);
  addDocument(invoice);
  addSending(invoice);
  return invoice;
}

const LISTED_STATUSES = ['draft', 'sent', 'paid', 'open', 'overdue', 'partly_paid', 'overpaid', 'credited'];

interface ListFlags {
  org: string;
  status?: string;
  kind?: string;
  customer?: string;
  profile?: string;
  from?: string;
  to?: string;
  text?: string;
  limit: number;
  cursor?: string;
  [flag: string]: unknown;
}

/** The sums with their unit, as everywhere on the command line. */
const shownSummary = ({ status, kind, state, totalInclCents: totalCents, ...summary }: InvoiceSummary) => ({
  ...summary,
  status: wordOf('INVOICE_STATUS', status),
  kind: wordOf('INVOICE_KIND', kind),
  state: state && wordOf('ACCOUNT_STATE', state),
  totalCents,
});

function addList(invoice: Command): void {
  verb<ListFlags, { invoices: ReturnType<typeof shownSummary>[]; cursor: string | null }>(
    invoice,
    'list',
    'drafts and issued documents, newest first; those of a period by their day',
    async ({ invoices }, { org, status, kind, customer, profile, ...given }) => {
      const asked = {
        ...given,
        ...{ organizationId: org, customerId: customer, profileId: profile, customerNames: true },
        status: status ? enumOf<ListedStatus>('LISTED_STATUS', status) : undefined,
        kind: kind ? enumOf<InvoiceKind>('INVOICE_KIND', kind) : undefined,
      };
      const page = await invoices.listInvoices(asked, operatorCall());
      return { invoices: page.invoices.map(shownSummary), cursor: page.cursor ?? null };
    },
    ({ invoices, cursor }) => ({
      invoices: invoices.map(({ customerName: customer, ...invoice }) => ({ ...invoice, customer })),
      cursor,
    }),
  )
    .requiredOption('--org <id>')
    .addOption(new Option('--status <status>', 'only those that stand so').choices(LISTED_STATUSES))
    .addOption(new Option('--kind <kind>').choices(['invoice', 'credit_note']))
    .option('--customer <id>', "only this customer's")
    .option('--profile <id>', 'only of this profile')
    .option('--from <date>', 'YYYY-MM-DD; only those dated on it or later')
    .option('--to <date>', 'YYYY-MM-DD; only those dated on it or earlier')
    .option('--text <text>', "beginning of a number, or of words of the customer's name or company")
    .option('--limit <n>', '1 to 100', wholeNumber, 50)
    .option('--cursor <cursor>', 'as the page before answered it');
}

function addDocument(invoice: Command): void {
  withOrg(
    verb<Org & { format: string; out?: string }>(
      invoice,
      'document <id>',
      'save the PDF or the e-invoice',
      async (services, flags, id) => {
        const { content, fileName, contentType } = await services.invoices.renderInvoice(
          {
            organizationId: flags.org ?? '',
            invoiceId: id!,
            format: enumOf<DocumentFormat>('DOCUMENT_FORMAT', flags.format),
          },
          operatorCall(),
        );
        const file = flags.out ?? fileName;
        writeFileSync(file, content);
        return { file, contentType, bytes: content.length };
      },
    ),
  )
    .addOption(
      new Option('--format <format>')
        .choices(['pdf', 'original_pdf', 'ubl', 'original_ubl', 'cii', 'original_cii'])
        .default('pdf'),
    )
    .option('--out <file>');
}

/** Sending what is issued once more. */
function addSending(invoice: Command): void {
  withOrg(
    verb<Org & { to?: string }>(
      invoice,
      'resend <id>',
      'e-mail an issued document again; mail list --invoice shows each time',
      ({ invoices }, { org = '', to }, id) =>
        invoices.resendInvoice(
          { organizationId: org, invoiceId: id!, to },
          { ...operatorCall(), operationId: randomUUID() },
        ),
    ),
  ).option('--to <address>', "instead of the buyer's");

  withOrg(
    verb<Org>(
      invoice,
      'post <id>',
      'post an issued document as a letter, for one mail credit; letter list shows it',
      ({ invoices }, { org = '' }, id) =>
        invoices.postInvoice({ organizationId: org, invoiceId: id! }, { ...operatorCall(), operationId: randomUUID() }),
    ),
  );
}
