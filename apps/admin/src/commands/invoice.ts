import { readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { type DocumentFormat, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { VatTreatment, type LineInput } from '@invoicing/contracts/invoicing/billing/v1/line';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface Org extends Record<string, unknown> {
  /** An operator needs none: an id names one invoice. */
  org?: string;
}

/** The line of the REST API, as it stands in the file of `draft update`. */
interface FileLine {
  description?: string;
  quantity?: number | string;
  unitPriceCents?: number;
  vatTreatment?: string;
  productId?: string;
}

interface DraftFile {
  customerId?: string;
  lines?: FileLine[];
  issueDate?: string;
  dueDate?: string;
  profileId?: string;
}

const lineInput = (line: FileLine): LineInput => ({
  description: line.description,
  quantity: line.quantity === undefined ? undefined : String(line.quantity),
  unitPriceCents: line.unitPriceCents,
  vatTreatment: line.vatTreatment ? enumOf<VatTreatment>('VAT_TREATMENT', line.vatTreatment) : VatTreatment.UNSPECIFIED,
  productId: line.productId,
});

const shown = (invoice: Invoice) => ({
  ...invoice,
  status: wordOf('INVOICE_STATUS', invoice.status),
  kind: wordOf('INVOICE_KIND', invoice.kind),
  lines: invoice.lines.map((line) => ({ ...line, vatTreatment: wordOf('VAT_TREATMENT', line.vatTreatment) })),
});

const withOrg = (command: Command): Command => command.option('--org <id>', 'only if it belongs to this organisation');

export function addInvoice(program: Command): void {
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
    verb<Org & { reason?: string; lines?: string[] }>(
      invoice,
      'credit <id>',
      'issue a credit note, whole or by lines',
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
          },
          { ...operatorCall(), operationId: randomUUID() },
        ),
    ),
  )
    .option('--reason <text>', 'shown on the credit note')
    .option('--lines <list>', 'line[:quantity], from 0, e.g. 0,2:1.5; all that is left when left out', (text) =>
      text.split(','),
    );

  withOrg(
    verb<Org>(invoice, 'show <id>', 'one invoice', async (services, flags, id) =>
      shown(await services.invoices.getInvoice({ organizationId: flags.org ?? '', invoiceId: id! }, operatorCall())),
    ),
  );

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
    .addOption(new Option('--format <format>').choices(['pdf', 'original_pdf', 'ubl']).default('pdf'))
    .option('--out <file>');

  const draft = program.command('draft').description('drafts');

  withOrg(
    verb<Org & { file: string }>(draft, 'update <id>', 'replace what a draft holds', async (services, flags, id) => {
      const file = JSON.parse(readFileSync(flags.file, 'utf8')) as DraftFile;
      return shown(
        await services.invoices.updateDraft(
          { organizationId: flags.org ?? '', invoiceId: id!, ...file, lines: (file.lines ?? []).map(lineInput) },
          operatorCall(),
        ),
      );
    }),
  ).requiredOption('--file <file>', 'JSON with customerId, lines, issueDate, dueDate, profileId as in the API');

  withOrg(
    verb<Org>(draft, 'delete <id>', 'delete a draft', (services, flags, id) =>
      services.invoices.deleteDraft({ organizationId: flags.org ?? '', invoiceId: id! }, operatorCall()),
    ),
  );
}
