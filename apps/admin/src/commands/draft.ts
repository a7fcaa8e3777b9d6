import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { type Period } from '@invoicing/contracts/invoicing/billing/v1/line';
import { operatorCall } from '../platform';
import { verb } from '../verb';
import { shownInvoice } from './invoice';
import { lineInput, type FileLine } from './line-file';

interface Org extends Record<string, unknown> {
  /** An operator needs none: an id names one draft. */
  org?: string;
  revision?: number;
}

interface DraftFile {
  customerId?: string;
  lines?: FileLine[];
  issueDate?: string;
  dueDate?: string;
  profileId?: string;
  language?: string;
  pricesIncludeVat?: boolean;
  reference?: string;
  note?: string;
  supplyDate?: string;
  period?: Period;
}

/** What `draft update` takes without a file. */
interface DraftFlags extends Org, Pick<DraftFile, 'pricesIncludeVat' | 'reference' | 'note' | 'supplyDate' | 'period'> {
  file?: string;
  clear?: string[];
}

/** `2026-11-01..2026-11-30`. */
function period(text: string): Period {
  const [from = '', to, ...more] = text.split('..');
  if (to === undefined || more.length > 0) throw new InvalidArgumentError('must be two dates: FROM..TO.');
  return { from, to };
}

const withOrg = (command: Command): Command =>
  command
    .option('--org <id>', 'only if it belongs to this organisation')
    .option('--revision <n>', 'refuse when it has changed since this revision', Number);

/** Adds the verbs of drafts. */
export function addDraft(program: Command): void {
  const draft = program.command('draft').description('drafts');

  withOrg(
    verb<DraftFlags>(draft, 'update <id>', 'replace what a draft holds', async (services, flags, id) => {
      const {
        org = '',
        file,
        clear = [],
        revision,
        pricesIncludeVat,
        reference,
        note,
        supplyDate,
        period: supplied,
      } = flags;
      const content = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as DraftFile);
      const said = { pricesIncludeVat, reference, note, supplyDate, period: supplied };
      const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
      const lines = (content.lines ?? []).map(lineInput);
      // Without a mask what is given changes; only a mask can clear.
      const updateMask = clear.length > 0 ? [...Object.keys({ ...content, ...given }), ...clear] : undefined;
      const named = { organizationId: org, invoiceId: id!, revision, updateMask };
      const request = { ...content, ...given, ...named, lines };
      return shownInvoice(await services.invoices.updateDraft(request, operatorCall()));
    }),
  )
    .option(
      '--file <file>',
      'JSON as the body of the API: customerId, lines, issueDate, dueDate, profileId, reference, …',
    )
    .option('--reference <text>', "the customer's own, e.g. of a purchase order; empty: none")
    .option('--note <text>', 'shown on the document; empty: none')
    .option('--supply-date <date>', 'day of the supply, instead of a period; empty: none')
    .option('--period <from..to>', 'days of the supply, e.g. 2026-11-01..2026-11-30', period)
    .option('--clear <fields>', 'fields to empty, e.g. dueDate,period', (text) => text.split(','))
    .option('--prices-include-vat', 'the unit prices include VAT')
    .option('--no-prices-include-vat', 'the unit prices are without VAT');

  withOrg(
    verb<Org>(draft, 'delete <id>', 'discard a draft', ({ invoices }, { org = '', revision }, id) =>
      invoices.deleteDraft({ organizationId: org, invoiceId: id!, revision }, operatorCall()),
    ).alias('discard'),
  );
}
