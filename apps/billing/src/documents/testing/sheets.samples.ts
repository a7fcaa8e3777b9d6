import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrozenInvoice } from '../../invoices/invoice';
import type { CopiedAccount } from '../e-invoice/describe-invoice';
import { eInvoiceViolations } from '../e-invoice/e-invoice-rules';
import { renderCii } from '../e-invoice/render-cii';
import { renderUbl } from '../e-invoice/render-ubl';
import { type Specification, specificationOf } from '../e-invoice/specification';
import { sheetRenderer, type SheetRenderer } from '../sheet/sheet-renderer';
import type { SheetSource } from '../sheet/sheet-source';
import { sampleSheets } from './sample-sheets';

type Content = Uint8Array | string;

/** An e-invoice by this specification, where it is the one of the countries or Peppol's and the document can be one. */
const eInvoice =
  (specification: Specification, render: (invoice: FrozenInvoice, account?: CopiedAccount) => string) =>
  ({ invoice: given, account, isDraft }: SheetSource): Promise<Content | undefined> => {
    const invoice = specification === 'peppol' ? given : { ...given, eInvoiceRules: 'national' as const };
    const isOne = specificationOf(invoice) === specification && eInvoiceViolations(invoice).length === 0;
    return Promise.resolve(isDraft || !isOne ? undefined : render(invoice, account));
  };

/** What is written of each sheet, by extension; undefined where the document cannot be had that way. */
const forms: Record<string, (source: SheetSource, renderer: SheetRenderer) => Promise<Content | undefined>> = {
  pdf: (source, renderer) => renderer.render(source, 'pdf', 'mail'),
  svg: (source, renderer) => renderer.render(source, 'svg', 'page'),
  'ubl.xml': eInvoice('peppol', renderUbl),
  'cii.xml': eInvoice('peppol', renderCii),
  'nlcius.xml': eInvoice('nlcius', renderUbl),
  'xrechnung.xml': eInvoice('xrechnung', renderUbl),
  'xrechnung-cii.xml': eInvoice('xrechnung', renderCii),
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
