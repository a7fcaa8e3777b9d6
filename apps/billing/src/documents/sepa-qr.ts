import { amountDueCents, type FrozenInvoice } from '../invoices/invoice';

/** A square of dark (true) and light modules, row by row, without quiet zone. */
export interface QrModules {
  readonly size: number;
  isDark: (row: number, column: number) => boolean;
}

const MAX_BYTES = 331;
const MAX_CENTS = 99_999_999_999;

// The payload is line based: a line feed in a name would move every field after it.
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** The start of a text: at most so many characters (not code units: half an emoji is no UTF-8) and bytes. */
function first(text: string, characters: number, bytes: number): string {
  let kept = '';
  for (const character of [...text].slice(0, characters)) {
    if (Buffer.byteLength(kept + character) > bytes) break;
    kept += character;
  }
  return kept.trimEnd();
}

/**
 * The text of a SEPA credit transfer code (EPC069-12, version 002) for what is still to be paid, or null when this document cannot be
 * paid that way.
 */
export function sepaQrPayload(
  invoice: Pick<FrozenInvoice, 'kind' | 'seller' | 'totals' | 'prepayment' | 'currency' | 'number'>,
  cents: number = amountDueCents(invoice),
): string | null {
  const iban = invoice.seller.iban.replace(/\s/g, '').toUpperCase();
  if (invoice.kind !== 'invoice' || cents <= 0 || invoice.currency !== 'EUR' || !iban || cents > MAX_CENTS) return null;
  const digits = String(cents).padStart(3, '0');
  const bic = invoice.seller.bic.replace(/\s/g, '').toUpperCase();
  const amount = `EUR${digits.slice(0, -2)}.${digits.slice(-2)}`;
  const text = first(oneLine(invoice.number), 140, 140);
  const lines = (name: string): string =>
    ['BCD', '002', '1', 'SCT', bic, name, iban, amount, '', '', text].join('\n').trimEnd();
  const name = first(oneLine(invoice.seller.name), 70, MAX_BYTES - Buffer.byteLength(lines('')));
  return name ? lines(name) : null;
}

/** Byte mode, error correction level M; a payload of 331 bytes fits version 13. */
export async function qrModules(payload: string): Promise<QrModules> {
  const { create } = await import('qrcode');
  const { modules } = create([{ data: Buffer.from(payload), mode: 'byte' }], { errorCorrectionLevel: 'M' });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
}

/** Runs of dark modules, a row at a time: fewer and seamless rectangles. */
function darkRuns(modules: QrModules): { row: number; column: number; length: number }[] {
  const runs: { row: number; column: number; length: number }[] = [];
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      const start = column;
      while (column < modules.size && modules.isDark(row, column)) column++;
      if (column > start) runs.push({ row, column: start, length: column - start });
    }
  }
  return runs;
}

/** The modules as an SVG with the quiet zone of four modules that readers need; black on white in dark mode too. */
export function qrSvg(modules: QrModules, title: string): string {
  const side = modules.size + 8;
  const path = darkRuns(modules)
    .map(({ row, column, length }) => `M${column + 4} ${row + 4}h${length}v1h-${length}z`)
    .join('');
  const label = title.replace(/[<>&"]/g, '');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="white" d="M0 0h${side}v${side}H0z"/><path fill="black" d="${path}"/></svg>`;
}
