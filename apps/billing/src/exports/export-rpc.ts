import {
  AuditFileVersion,
  ExportKind,
  ExportsService,
  type ExportBooksRequest,
  type ExportBooksResponse,
} from '@invoicing/contracts/invoicing/billing/v1/exports';
import { validationError } from '@invoicing/errors';
import { bindService, type BoundService } from '@invoicing/rpc';
import { exportBooks, type ExportAs } from './export-books';
import type { ExportPorts } from './export-ports';

const KINDS: Partial<Record<ExportKind, Exclude<ExportAs['kind'], 'xaf'>>> = {
  [ExportKind.CSV]: 'csv',
  [ExportKind.DOCUMENTS]: 'documents',
  [ExportKind.VAT]: 'vat',
};

/** The books of an organisation as files. */
export const exportsService = (ports: ExportPorts): BoundService =>
  bindService(
    ExportsService,
    { exportBooks: (request) => parts(ports, request) },
    { exportBooks: { callers: ['application', 'admin'], action: 'exports.create' } },
  );

async function* parts(ports: ExportPorts, request: ExportBooksRequest): AsyncIterable<ExportBooksResponse> {
  const { organizationId, from, to } = request;
  for await (const part of exportBooks(ports, organizationId, { from, to }, exportAs(request))) {
    if ('content' in part)
      yield { content: Buffer.from(part.content.buffer, part.content.byteOffset, part.content.length) };
    else yield { summary: { ...part.summary, asClosed: part.summary.asClosed } };
  }
}

function exportAs({ kind, version }: ExportBooksRequest): ExportAs {
  if (kind === ExportKind.XAF)
    return { kind: 'xaf', version: version === AuditFileVersion.AUDIT_FILE_VERSION_3_2 ? '3.2' : '4.0' };
  const other = KINDS[kind];
  if (!other) throw validationError([{ path: '/kind', message: 'must be xaf, csv, documents or vat' }]);
  return { kind: other };
}
