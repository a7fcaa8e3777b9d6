import type { InvoiceMailTexts, MailFacts, MailState } from './mail-texts';

/** The texts of a mail to somebody who reads German. */
export const germanMailTexts = (facts: MailFacts): InvoiceMailTexts => {
  const { state, number, seller, name, credited, total, open, dueDate } = facts;
  const document = state === 'credit' ? 'Rechnungskorrektur' : 'Rechnung';
  const preheaders: Record<MailState, string> = {
    credit: `Gesamtbetrag ${total}`,
    open: open ? `Noch zu zahlen: ${open}, bis ${dueDate}` : `Gesamtbetrag ${total}, zahlbar bis ${dueDate}`,
    paid: `Gesamtbetrag ${total}, bezahlt`,
    settled: 'Es ist nichts zu zahlen',
  };
  const intros: Record<MailState, string> = {
    credit: `anbei erhalten Sie unsere Korrektur der Rechnung ${credited}.`,
    open: 'anbei erhalten Sie Ihre Rechnung. Sie können sie online ansehen und bezahlen.',
    paid: 'vielen Dank für Ihre Zahlung. Anbei erhalten Sie Ihre Rechnung; Sie müssen nichts mehr tun. Sie können sie online ansehen und herunterladen.',
    settled:
      'anbei erhalten Sie Ihre Rechnung; Sie müssen nichts zahlen. Sie können sie online ansehen und herunterladen.',
  };
  const statuses: Partial<Record<MailState, string>> = { paid: 'Bezahlt', settled: 'Nichts zu zahlen' };
  return {
    language: 'de',
    subject: `${document} ${number} von ${seller}`,
    preheader: preheaders[state],
    greeting: name ? `Guten Tag ${name},` : 'Guten Tag,',
    intro: intros[state],
    numberLabel: state === 'credit' ? document : 'Rechnungsnummer',
    issuedLabel: state === 'credit' ? 'Datum' : 'Rechnungsdatum',
    dueLabel: 'Fällig am',
    referenceLabel: 'Ihr Zeichen',
    reasonLabel: 'Grund',
    periodLabel: 'Leistungszeitraum',
    totalLabel: 'Gesamtbetrag',
    openLabel: 'Noch zu zahlen',
    statusLabel: 'Status',
    status: statuses[state] ?? '',
    button: state === 'open' ? 'Ansehen und bezahlen' : `${document} ansehen`,
    linkHint: 'Oder öffnen Sie diese Adresse in Ihrem Browser:',
    attached: 'Das PDF finden Sie im Anhang.',
    closing: 'Mit freundlichen Grüßen',
  };
};
