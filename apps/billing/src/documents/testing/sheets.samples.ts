import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eInvoiceViolations } from '../ubl/e-invoice-rules';
import { renderUbl } from '../ubl/render-ubl';
import { sheetRenderer, type SheetRenderer } from '../sheet/sheet-renderer';
import type { SheetSource } from '../sheet/sheet-source';
import { sampleSheets } from './sample-sheets';

type Content = Uint8Array | string;

/** What is written of each sheet, by extension; undefined where the document cannot be had that way. */
const forms: Record<string, (source: SheetSource, renderer: SheetRenderer) => Promise<Content | undefined>> = {
  pdf: (source, renderer) => renderer.render(source, 'pdf', 'mail'),
  svg: (source, renderer) => renderer.render(source, 'svg', 'page'),
  'ubl.xml': async ({ invoice, account, isDraft }) =>
    isDraft || eInvoiceViolations(invoice).length > 0 ? undefined : renderUbl(invoice, account),
};

/** Writes all sheets to the folder that `SAMPLES` names. */
export async function run(): Promise<void> {
  const folder = process.env['SAMPLES'] ?? 'dist/sheets';
  mkdirSync(folder, { recursive: true });
  const renderer = sheetRenderer();
  let written = 0;
  for (const [name, source] of sampleSheets()) {
    for (const [extension, form] of Object.entries(forms)) {
      const content = await form(source, renderer);
      if (content === undefined) continue;
      writeFileSync(join(folder, `${name}.${extension}`), content);
      written++;
    }
  }
  renderer.close();
  console.log(`${written} files in ${folder}`);
}
