import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import type {
  AuditFileVersion,
  ExportBooksResponse,
  ExportKind,
  ExportSummary,
} from '@invoicing/contracts/invoicing/billing/v1/exports';
import type { ClosedPeriod } from '@invoicing/contracts/invoicing/billing/v1/periods';
import type { VatLine, VatReturn } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { enumOf } from '../enum-names';
import { operatorCall, type Services } from '../platform';
import { vatVerdict } from '../verdicts';
import { concluded, verb } from '../verb';

// A zip of all documents of a year is rendered one by one.
const EXPORT_TIMEOUT_MS = 6 * 3_600_000;
const VAT_TIMEOUT_MS = 600_000;

interface ExportFlags extends Record<string, unknown> {
  org: string;
  kind: string;
  from: string;
  to: string;
  out: string;
  xafVersion: string;
}

interface PeriodFlags extends Record<string, unknown> {
  org: string;
  period: string;
}

/** What a bookkeeper asks for: files of the books, figures for the VAT return, closed periods. */
export function addBooks(program: Command): void {
  verb<ExportFlags>(program, 'export', 'write the books of some days to a file', exportTo)
    .requiredOption('--org <id>')
    .addOption(
      new Option('--kind <kind>', 'audit file, its lines, a zip of the originals, or the list behind the VAT figures')
        .choices(['xaf', 'csv', 'documents', 'vat'])
        .makeOptionMandatory(),
    )
    .requiredOption('--from <date>', 'first day')
    .requiredOption('--to <date>', 'last day')
    .requiredOption('--out <file>', 'where it is written; an earlier one is replaced when this one is complete')
    .addOption(new Option('--xaf-version <version>', 'of an audit file').choices(['3.2', '4.0']).default('4.0'));
  addVat(program);
  addPeriod(program);
}

/** Writes beside the file and renames: whoever is cut off leaves what was there before. */
async function exportTo({ books }: Services, flags: ExportFlags) {
  const { org: organizationId, from, to, out } = flags;
  const request = {
    ...{ organizationId, from, to },
    kind: enumOf<ExportKind>('EXPORT_KIND', flags.kind),
    version: enumOf<AuditFileVersion>('AUDIT_FILE_VERSION', flags.xafVersion.replace('.', '_')),
  };
  const hash = createHash('sha256');
  const written: { summary?: ExportSummary } = {};
  const unfinished = `${out}.unfinished`;
  try {
    await pipeline(
      Readable.from(contents(books.exports.exportBooks(request, operatorCall(EXPORT_TIMEOUT_MS)), hash, written)),
      createWriteStream(unfinished),
    );
    const sha256 = hash.digest('hex');
    if (written.summary?.sha256 !== sha256) throw new Error('the file did not arrive whole: try again');
    await rename(unfinished, out);
    const { count, bytes, closed, asClosed } = written.summary;
    return { files: [out], count, bytes, sha256, closed, ...(asClosed !== undefined && { asClosed }) };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function* contents(
  parts: AsyncIterable<ExportBooksResponse>,
  hash: { update: (bytes: Uint8Array) => unknown },
  written: { summary?: ExportSummary },
): AsyncIterable<Uint8Array> {
  for await (const { content, summary } of parts) {
    if (summary) written.summary = summary;
    if (!content) continue;
    hash.update(content);
    yield content;
  }
}

function addVat(program: Command): void {
  const vat = program.command('vat').description('figures for the Dutch VAT return, from issued documents');
  const withPeriod = (command: Command): Command =>
    command.requiredOption('--org <id>').requiredOption('--period <period>', 'a year, a quarter or a month: 2026-Q3');
  withPeriod(
    verb<PeriodFlags, ReturnedVat>(
      vat,
      'return',
      'the boxes (rubrieken) with the documents behind each',
      async (services, flags) => {
        const { boxes, vatCents, vatEuros, ...found } = await vatReturn(services, flags);
        const documents = await linesByBox(services, flags);
        return {
          ...daysOf(found),
          boxes: boxes.map((box) => ({ ...box, list: documents.get(box.box) ?? [] })),
          vatCents,
          vatEuros,
        };
      },
      // The documents are with --json, and in export --kind vat.
      ({ boxes, ...found }) =>
        concluded(
          'vat',
          { ...found, boxes: boxes.map(({ list: _list, ...box }) => box) },
          vatVerdict(boxes, found.vatEuros),
        ),
    ),
  );
  withPeriod(
    verb<PeriodFlags>(
      vat,
      'icp',
      'supplies to businesses in other member states (opgaaf ICP)',
      async (services, flags) => {
        const found = await vatReturn(services, flags);
        return { ...daysOf(found), lines: found.icp };
      },
    ),
  );
  withPeriod(
    verb<PeriodFlags>(vat, 'oss', 'sales to private persons in other member states', async (services, flags) => {
      const found = await vatReturn(services, flags);
      const baseCents = found.oss.reduce((sum, each) => sum + each.baseCents, 0);
      return { ...daysOf(found), lines: found.oss, baseCents };
    }),
  );
}

interface ReturnedVat extends ReturnType<typeof daysOf> {
  readonly boxes: readonly (VatReturn['boxes'][number] & { readonly list: readonly object[] })[];
  readonly vatCents: number;
  readonly vatEuros: number;
}

const vatReturn = ({ books }: Services, { org, period }: PeriodFlags): Promise<VatReturn> =>
  books.vatReturns.getVatReturn({ organizationId: org, period }, operatorCall(VAT_TIMEOUT_MS));

const daysOf = ({ from, to, closed }: Pick<VatReturn, 'from' | 'to' | 'closed'>) => ({
  from,
  to,
  closed,
  scheme: 'invoice',
});

async function linesByBox({ books }: Services, { org, period }: PeriodFlags) {
  const byBox = new Map<string, ReturnType<typeof shownLine>[]>();
  const lines = books.vatReturns.listVatLines({ organizationId: org, period }, operatorCall(VAT_TIMEOUT_MS));
  for await (const line of lines) {
    const list = byBox.get(line.box) ?? [];
    list.push(shownLine(line));
    byBox.set(line.box, list);
  }
  return byBox;
}

const shownLine = ({ number, invoiceId, issueDate, customer, baseCents, vatCents, warnings }: VatLine) => ({
  number,
  invoiceId,
  issueDate,
  customer,
  baseCents,
  vatCents,
  ...(warnings.length > 0 && { warnings: warnings.map(({ code }) => code) }),
});

function addPeriod(program: Command): void {
  const period = program.command('period').description('closed periods: nothing is issued or booked in them any more');
  verb<{ org: string; from: string; to: string }>(
    period,
    'close',
    'close the books until a day, and keep the checksum of their audit file',
    async ({ books }, { org, from, to }) => {
      const request = { organizationId: org, from, to };
      const closed = await books.periods.closePeriod(request, operatorCall(VAT_TIMEOUT_MS));
      const warnings = closed.draftIds.map((id) => ({
        code: 'draft_in_closed_period',
        message: 'it is dated in these days: give it a later date before it is issued',
        draftId: id,
      }));
      return { ...shownPeriod(closed.period!), ...(warnings.length > 0 && { warnings }) };
    },
  )
    .requiredOption('--org <id>')
    .requiredOption('--from <date>', 'first day')
    .requiredOption('--to <date>', 'last day, before today; everything before it is closed with it');
  verb<{ org: string }>(period, 'list', 'what was closed, newest first', async ({ books }, { org }) =>
    (await books.periods.listPeriods({ organizationId: org }, operatorCall())).periods.map(shownPeriod),
  ).requiredOption('--org <id>');
  verb<{ org: string; reason: string }>(
    period,
    'reopen <id>',
    'open the last closed period again: the books are then closed until the day before it',
    async ({ books }, { org, reason }, id) =>
      shownPeriod(await books.periods.reopenPeriod({ organizationId: org, periodId: id!, reason }, operatorCall())),
  )
    .requiredOption('--org <id>')
    .requiredOption('--reason <text>', 'why; it stays with the period');
}

const shownPeriod = ({ reopenedBecause, ...period }: ClosedPeriod) => ({
  ...period,
  status: reopenedBecause === undefined ? 'closed' : 'open',
  ...(reopenedBecause !== undefined && { reopenedBecause }),
});
