import type { InvoiceMailTexts, MailFacts } from './mail-texts';

/** The texts of a mail to somebody who reads German. */
export const germanMailTexts = (facts: MailFacts): InvoiceMailTexts => {
  const { isCredit, isPaid, number, seller, name, credited, total, dueDate } = facts;
  return {
    language: 'de',
    subject: `${isCredit ? 'Rechnungskorrektur' : 'Rechnung'} ${number} von ${seller}`,
    preheader: isCredit
      ? `Gesamtbetrag ${total}`
      : isPaid
        ? `Gesamtbetrag ${total}, bezahlt`
        : `Gesamtbetrag ${total}, zahlbar bis ${dueDate}`,
    greeting: name ? `Guten Tag ${name},` : 'Guten Tag,',
    intro: isCredit
      ? `anbei erhalten Sie unsere Korrektur der Rechnung ${credited}.`
      : isPaid
        ? 'vielen Dank für Ihre Zahlung. Anbei erhalten Sie Ihre Rechnung; Sie müssen nichts mehr tun. Sie können sie online ansehen und herunterladen.'
        : 'anbei erhalten Sie Ihre Rechnung. Sie können sie online ansehen und bezahlen.',
    numberLabel: isCredit ? 'Rechnungskorrektur' : 'Rechnungsnummer',
    issuedLabel: 'Datum',
    dueLabel: 'Fällig am',
    totalLabel: 'Gesamtbetrag',
    statusLabel: 'Status',
    paid: 'Bezahlt',
    button: isCredit ? 'Rechnungskorrektur ansehen' : isPaid ? 'Rechnung ansehen' : 'Ansehen und bezahlen',
    linkHint: 'Oder öffnen Sie diese Adresse in Ihrem Browser:',
    attached: 'Das PDF finden Sie im Anhang.',
    testNotice: 'Dies ist ein Test. Es ist nichts zu zahlen.',
    closing: 'Mit freundlichen Grüßen',
  };
};
