import { dateIn } from '../pages/format';
import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AuditFileVersion,
  ExportKind,
  type ExportBooksRequest,
  type ExportBooksResponse,
} from '@invoicing/contracts/invoicing/billing/v1/exports';
import type { VatLine } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { AppError, notFoundError } from '@invoicing/errors';
import { newCallContext } from '@invoicing/rpc';
import { faultsOf, noFaults, type Faults } from '../pages/form-request';
import { doneNotice } from '../pages/list-request';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { booksPage, type BooksForm } from './books-pages';
import { vatLinesPage, vatPage } from './vat-pages';

const ACTION = 'exports.create';
/** A file of some years is written as fast as it is read. */
const EXPORT_MS = 3_600_000;
/** Lines behind a figure that are shown; all of them are in the export. */
const LINES_SHOWN = 500;

/** Files by name; what a name ends in gives the gateway more patience. */
const FILES: Readonly<Record<string, Pick<ExportBooksRequest, 'kind' | 'version'> & { readonly type: string }>> = {
  'auditfile.xml': {
    kind: ExportKind.XAF,
    version: AuditFileVersion.AUDIT_FILE_VERSION_4_0,
    type: 'application/xml',
  },
  'auditfile-3.2.xml': {
    kind: ExportKind.XAF,
    version: AuditFileVersion.AUDIT_FILE_VERSION_3_2,
    type: 'application/xml',
  },
  'bookings.csv': {
    kind: ExportKind.CSV,
    version: AuditFileVersion.AUDIT_FILE_VERSION_UNSPECIFIED,
    type: 'text/csv; charset=utf-8',
  },
  'vat.csv': {
    kind: ExportKind.VAT,
    version: AuditFileVersion.AUDIT_FILE_VERSION_UNSPECIFIED,
    type: 'text/csv; charset=utf-8',
  },
  'documents.zip': {
    kind: ExportKind.DOCUMENTS,
    version: AuditFileVersion.AUDIT_FILE_VERSION_UNSPECIFIED,
    type: 'application/zip',
  },
};

/** The books: figures for the VAT return, files for the bookkeeper, and what is closed. */
export const booksRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    showBooks(peers, part);
    showVat(peers, part);
    writeFiles(peers, part);
  };

function showBooks({ periods }: Peers, part: Part): void {
  part.get(
    '/books',
    async (place, request, response) => {
      const { organizationId } = place;
      const found = await periods.listPeriods({ organizationId }, place.call());
      const form = { ...lastQuarter(place), ...saidOf(request) };
      const notice = doneNotice(request, place.t);
      show(response, place, booksPage(place, { periods: found.periods, form, faults: noFaults, notice }));
    },
    ACTION,
  );
}

function showVat({ vatReturns }: Peers, part: Part): void {
  part.get(
    '/books/vat',
    async (place, request, response) => {
      const { organizationId } = place;
      const period = textOf(request, 'period') || lastQuarter(place).period;
      try {
        const found = await vatReturns.getVatReturn({ organizationId, period }, place.call());
        show(response, place, vatPage(place, period, found, noFaults));
      } catch (error) {
        const faults = faultsOf(place, error);
        if (!faults) throw error;
        show(response, place, vatPage(place, period, undefined, faults), 400);
      }
    },
    ACTION,
  );

  part.get(
    '/books/vat/lines',
    async (place, request, response) => {
      const { organizationId } = place;
      const [period, box] = [textOf(request, 'period'), textOf(request, 'box')];
      const asked = { organizationId, period, box: box || undefined };
      const lines: VatLine[] = [];
      let isMore = false;
      for await (const line of vatReturns.listVatLines(asked, place.call())) {
        isMore = lines.length === LINES_SHOWN;
        if (isMore) break;
        lines.push(line);
      }
      show(response, place, vatLinesPage(place, { period, box, lines, isMore }));
    },
    ACTION,
  );
}

function writeFiles(peers: Peers, part: Part): void {
  // What the form chooses has an address of its own.
  part.get(
    '/books/files',
    ({ at }, request, response) => {
      const asked = new URLSearchParams({ from: textOf(request, 'from'), to: textOf(request, 'to') });
      response.redirect(303, `${at(`books/files/${encodeURIComponent(textOf(request, 'file'))}`)}?${asked.toString()}`);
    },
    ACTION,
  );

  part.get(
    '/books/files/:name',
    async (place, request, response) => {
      const name = String(request.params['name']);
      const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
      if (!file) throw notFoundError('the file');
      const { organizationId } = place;
      const [from, to] = [textOf(request, 'from'), textOf(request, 'to')];
      const { kind, version, type } = file;
      // Whoever breaks the download off breaks the work off, too.
      const ended = new AbortController();
      response.once('close', () => ended.abort());
      const call = { ...place.call(), deadline: newCallContext(EXPORT_MS).deadline, signal: ended.signal };
      const parts = peers.exports
        .exportBooks({ organizationId, kind, version, from, to }, call)
        [Symbol.asyncIterator]();
      let first: IteratorResult<ExportBooksResponse, undefined>;
      try {
        first = (await parts.next()) as IteratorResult<ExportBooksResponse, undefined>;
      } catch (error) {
        const faults = faultsOf(place, error);
        if (!faults) throw error;
        return refuse(peers, place, response, { from, to, period: '' }, faults);
      }
      response.attachment(`${from}_${to}_${name}`).type(type);
      // A file that is cut off is cut off for its reader, too: nobody takes half of it for the whole.
      return pipeline(Readable.from(bytesOf(first, parts)), response).catch(unlessLeft);
    },
    ACTION,
  );
}

async function refuse({ periods }: Peers, place: Workplace, response: Response, form: BooksForm, faults: Faults) {
  const found = await periods.listPeriods({ organizationId: place.organizationId }, place.call());
  const shown = { ...form, period: lastQuarter(place).period };
  show(response, place, booksPage(place, { periods: found.periods, form: shown, faults, notice: undefined }), 400);
}

async function* bytesOf(
  first: IteratorResult<ExportBooksResponse, undefined>,
  rest: AsyncIterator<ExportBooksResponse>,
): AsyncIterable<Uint8Array> {
  let summed = false;
  for (let next = first; !next.done; next = (await rest.next()) as IteratorResult<ExportBooksResponse, undefined>) {
    if (next.value.content) yield next.value.content;
    summed ||= next.value.summary !== undefined;
  }
  if (!summed) throw new AppError('unfinished', 'generic', 'the export ended early');
}

/** Whoever left misses nothing. */
function unlessLeft(error: unknown): void {
  if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}

const textOf = ({ query }: Request, name: string): string =>
  typeof query[name] === 'string' ? query[name].trim().slice(0, 30) : '';

const saidOf = (request: Request): Partial<BooksForm> =>
  Object.fromEntries(
    ['from', 'to', 'period'].flatMap((name) => (textOf(request, name) ? [[name, textOf(request, name)]] : [])),
  );

/** The quarter before this one: what a return is made of. */
export function lastQuarter({ timeZone }: Pick<Workplace, 'timeZone'>, now = new Date()): BooksForm {
  const [year = 0, month = 1] = dateIn(timeZone, now).split('-').map(Number);
  const before = Math.floor((month - 1) / 3) - 1;
  const [of, quarter] = before < 0 ? [year - 1, 3] : [year, before];
  const iso = (months: number, date: number): string => new Date(Date.UTC(of, months, date)).toISOString().slice(0, 10);
  return { period: `${of}-Q${quarter + 1}`, from: iso(quarter * 3, 1), to: iso(quarter * 3 + 3, 0) };
}
