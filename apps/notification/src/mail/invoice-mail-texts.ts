import { InvoiceKind, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { frenchMailTexts } from './french-mail-texts';
import { germanMailTexts } from './german-mail-texts';
import type { InvoiceMailTexts, MailFacts } from './mail-texts';

/** Paid in a checkout before there was an invoice, or since. */
export const isPaidInvoice = ({ kind, payment, prepayment }: Invoice): boolean =>
  kind !== InvoiceKind.CREDIT_NOTE && (payment !== undefined || prepayment !== undefined);

/** Every sentence of the invoice mail, in the invoice's language. Plain text: the templates escape it. */
export function invoiceMailTexts(invoice: Invoice, total: string, dueDate: string): InvoiceMailTexts {
  const facts = {
    isCredit: invoice.kind === InvoiceKind.CREDIT_NOTE,
    isPaid: isPaidInvoice(invoice),
    number: invoice.number,
    seller: invoice.seller?.name ?? '',
    name: invoice.buyer?.name || invoice.buyer?.companyName || '',
    credited: invoice.creditedNumber ?? '',
    total,
    dueDate,
  };
  const languages: Partial<Record<string, (facts: MailFacts) => InvoiceMailTexts>> = {
    en: englishMailTexts,
    de: germanMailTexts,
    fr: frenchMailTexts,
  };
  return (languages[invoice.language] ?? dutchMailTexts)(facts);
}

function englishMailTexts({
  isCredit,
  isPaid,
  number,
  seller,
  name,
  credited,
  total,
  dueDate,
}: MailFacts): InvoiceMailTexts {
  return {
    language: 'en',
    subject: `${isCredit ? 'Credit note' : 'Invoice'} ${number} from ${seller}`,
    preheader: isCredit ? `Total ${total}` : isPaid ? `Total ${total}, paid` : `Total ${total}, due ${dueDate}`,
    greeting: name ? `Dear ${name},` : 'Hello,',
    intro: isCredit
      ? `Please find attached our credit note for invoice ${credited}.`
      : isPaid
        ? 'Thank you for your payment. This is your invoice; there is nothing left for you to do. You can view and download it online.'
        : 'Please find attached your invoice. You can view and pay it online.',
    numberLabel: isCredit ? 'Credit note' : 'Invoice number',
    issuedLabel: 'Date',
    dueLabel: 'Due date',
    totalLabel: 'Total',
    statusLabel: 'Status',
    paid: 'Paid',
    button: isCredit ? 'View credit note' : isPaid ? 'View invoice' : 'View and pay',
    linkHint: 'Or open this address in your browser:',
    attached: 'The PDF is attached.',
    testNotice: 'This is a test. There is nothing to pay.',
    closing: 'Kind regards,',
  };
}

function dutchMailTexts({
  isCredit,
  isPaid,
  number,
  seller,
  name,
  credited,
  total,
  dueDate,
}: MailFacts): InvoiceMailTexts {
  return {
    language: 'nl',
    subject: `${isCredit ? 'Creditnota' : 'Factuur'} ${number} van ${seller}`,
    preheader: isCredit
      ? `Totaal ${total}`
      : isPaid
        ? `Totaal ${total}, betaald`
        : `Totaal ${total}, te betalen voor ${dueDate}`,
    greeting: name ? `Beste ${name},` : 'Beste klant,',
    intro: isCredit
      ? `Hierbij ontvangt u onze creditnota bij factuur ${credited}.`
      : isPaid
        ? 'Bedankt voor uw betaling. Hierbij ontvangt u uw factuur; u hoeft niets meer te doen. U kunt deze online bekijken en downloaden.'
        : 'Hierbij ontvangt u uw factuur. U kunt deze online bekijken en betalen.',
    numberLabel: isCredit ? 'Creditnota' : 'Factuurnummer',
    issuedLabel: 'Datum',
    dueLabel: 'Vervaldatum',
    totalLabel: 'Totaal',
    statusLabel: 'Status',
    paid: 'Betaald',
    button: isCredit ? 'Creditnota bekijken' : isPaid ? 'Factuur bekijken' : 'Bekijken en betalen',
    linkHint: 'Of open dit adres in uw browser:',
    attached: 'De pdf zit in de bijlage.',
    closing: 'Met vriendelijke groet,',
    testNotice: 'Dit is een test. U hoeft niets te betalen.',
  };
}
