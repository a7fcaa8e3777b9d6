import { InvoiceKind, InvoiceStatus, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { dutchMailTexts } from './dutch-mail-texts';
import { englishMailTexts } from './english-mail-texts';
import { frenchMailTexts } from './french-mail-texts';
import { germanMailTexts } from './german-mail-texts';
import type { InvoiceMailTexts, MailFacts, MailState } from './mail-texts';

/** What the mail asks for, by what is open on the invoice's account as it is sent. */
export function mailState({ kind, status, openCents }: Invoice): MailState {
  if (kind === InvoiceKind.CREDIT_NOTE) return 'credit';
  if (openCents > 0) return 'open';
  return status === InvoiceStatus.PAID ? 'paid' : 'settled';
}

const LANGUAGES: Partial<Record<string, (facts: MailFacts) => InvoiceMailTexts>> = {
  en: englishMailTexts,
  de: germanMailTexts,
  fr: frenchMailTexts,
};

/** Every sentence of the invoice mail, in the invoice's language. Plain text: the templates escape it. */
export function invoiceMailTexts(
  invoice: Invoice,
  amounts: Pick<MailFacts, 'total' | 'open' | 'dueDate'>,
): InvoiceMailTexts {
  return (LANGUAGES[invoice.language] ?? dutchMailTexts)({
    state: mailState(invoice),
    number: invoice.number,
    seller: invoice.seller?.name ?? '',
    name: invoice.buyer?.name || invoice.buyer?.companyName || '',
    credited: invoice.creditedNumber ?? '',
    ...amounts,
  });
}
