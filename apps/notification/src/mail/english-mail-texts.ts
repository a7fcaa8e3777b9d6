import type { InvoiceMailTexts, MailFacts, MailState } from './mail-texts';

/** The texts of a mail to somebody who reads English. */
export const englishMailTexts = (facts: MailFacts): InvoiceMailTexts => {
  const { state, number, seller, name, credited, total, open, dueDate } = facts;
  const isCredit = state === 'credit';
  const preheaders: Record<MailState, string> = {
    credit: `Total ${total}`,
    open: open ? `Still to pay: ${open}, due ${dueDate}` : `Total ${total}, due ${dueDate}`,
    paid: `Total ${total}, paid`,
    settled: 'There is nothing to pay',
  };
  const intros: Record<MailState, string> = {
    credit: `Please find attached our credit note for invoice ${credited}.`,
    open: 'Please find attached your invoice. You can view and pay it online.',
    paid: 'Thank you for your payment. This is your invoice; there is nothing left for you to do. You can view and download it online.',
    settled: 'This is your invoice; there is nothing to pay. You can view and download it online.',
  };
  const statuses: Partial<Record<MailState, string>> = { paid: 'Paid', settled: 'Nothing to pay' };
  return {
    language: 'en',
    subject: `${isCredit ? 'Credit note' : 'Invoice'} ${number} from ${seller}`,
    preheader: preheaders[state],
    greeting: name ? `Dear ${name},` : 'Hello,',
    intro: intros[state],
    numberLabel: isCredit ? 'Credit note' : 'Invoice number',
    issuedLabel: 'Issue date',
    dueLabel: 'Due date',
    referenceLabel: 'Your reference',
    reasonLabel: 'Reason',
    periodLabel: 'Period',
    totalLabel: 'Total',
    openLabel: 'Still to pay',
    statusLabel: 'Status',
    status: statuses[state] ?? '',
    button: state === 'open' ? 'View and pay' : isCredit ? 'View credit note' : 'View invoice',
    linkHint: 'Or open this address in your browser:',
    attached: 'The PDF is attached.',
    closing: 'Kind regards,',
  };
};
