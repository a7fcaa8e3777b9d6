import type { FrozenInvoice } from '../../invoices/invoice';
import type { CopiedAccount } from './describe-invoice';
import { renderCii } from './render-cii';
import { renderUbl } from './render-ubl';

/** One e-invoice in either syntax of EN 16931; without an account as it was issued. */
export const renderEInvoice = (invoice: FrozenInvoice, syntax: 'ubl' | 'cii', account?: CopiedAccount): string =>
  syntax === 'ubl' ? renderUbl(invoice, account) : renderCii(invoice, account);
