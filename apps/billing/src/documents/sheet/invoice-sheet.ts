import type { FrozenInvoice } from '../../invoices/invoice';
import type { Ports } from '../../billing-ports';
import { sheetAccount, type ShownAccount } from './sheet-account';
import type { QueueName } from './sheet-renderer';
import type { SheetSource } from './sheet-source';
import type { SheetJob } from './typst-process';

/** An issued document and what is known of it now. */
export interface InvoiceToShow {
  readonly invoice: FrozenInvoice;
  readonly account: ShownAccount;
  /** YYYY-MM-DD in the organisation's time zone. */
  readonly today: string;
  /** Of a test organisation. */
  readonly test?: boolean;
}

/** The document and what its account says of it now. */
export function sheetSourceOf({ invoice, account: known, test, today }: InvoiceToShow): SheetSource {
  const account = sheetAccount(invoice, known, { today });
  return { invoice, isTest: test === true, ...(account && { account }) };
}

/**
 * The sheet that its reader should have: the document as it was issued as long as that says all, and a copy that says what was paid, or
 * that it is late, from then on. `original` asks for the former whatever happened since. The original's PDF is rendered once and kept,
 * so that its bytes outlive every change of the renderer.
 */
export async function invoiceSheet(
  { documents, sealedSheets }: Pick<Ports, 'documents' | 'sealedSheets'>,
  shown: InvoiceToShow,
  wanted: { readonly format: SheetJob['format']; readonly queue: QueueName; readonly original?: boolean },
): Promise<Uint8Array> {
  const { format, queue } = wanted;
  const { account, ...original } = sheetSourceOf(shown);
  const isCopy = account !== undefined && !wanted.original;
  if (isCopy || format === 'svg')
    return documents.renderSheet(isCopy ? { ...original, account } : original, format, queue);
  const { organizationId, id } = original.invoice;
  const kept = await sealedSheets.find(organizationId, id);
  if (kept) return kept;
  return sealedSheets.keep(organizationId, id, await documents.renderSheet(original, 'pdf', queue));
}

const MOST_PICTURED_LINES = 120;
const MOST_PICTURED_CHARACTERS = 30_000;

/** Whether a page shows the document as a picture: each letter is an element of it, and a long document would be megabytes. */
export function hasPicture({ lines, note }: FrozenInvoice): boolean {
  const characters = lines.reduce((sum, { description }) => sum + description.length, note?.length ?? 0);
  return lines.length <= MOST_PICTURED_LINES && characters <= MOST_PICTURED_CHARACTERS;
}
