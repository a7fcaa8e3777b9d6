import type { InvoiceMailTexts, MailFacts, MailState } from './mail-texts';

/** The texts of a mail to somebody who reads Dutch. */
export const dutchMailTexts = (facts: MailFacts): InvoiceMailTexts => {
  const { state, number, seller, name, credited, total, open, dueDate } = facts;
  const document = state === 'credit' ? 'Creditnota' : 'Factuur';
  const preheaders: Record<MailState, string> = {
    credit: `Totaal ${total}`,
    open: open ? `Nog te betalen: ${open}, uiterlijk ${dueDate}` : `Totaal ${total}, te betalen uiterlijk ${dueDate}`,
    paid: `Totaal ${total}, betaald`,
    settled: 'U hoeft niets te betalen',
  };
  const intros: Record<MailState, string> = {
    credit: `Hierbij ontvangt u onze creditnota bij factuur ${credited}.`,
    open: 'Hierbij ontvangt u uw factuur. U kunt deze online bekijken en betalen.',
    paid: 'Bedankt voor uw betaling. Hierbij ontvangt u uw factuur; u hoeft niets meer te doen. U kunt deze online bekijken en downloaden.',
    settled: 'Hierbij ontvangt u uw factuur; u hoeft niets te betalen. U kunt deze online bekijken en downloaden.',
  };
  const statuses: Partial<Record<MailState, string>> = { paid: 'Betaald', settled: 'Niets te betalen' };
  return {
    language: 'nl',
    subject: `${document} ${number} van ${seller}`,
    preheader: preheaders[state],
    greeting: name ? `Beste ${name},` : 'Beste klant,',
    intro: intros[state],
    numberLabel: state === 'credit' ? document : 'Factuurnummer',
    issuedLabel: state === 'credit' ? 'Datum' : 'Factuurdatum',
    dueLabel: 'Vervaldatum',
    referenceLabel: 'Uw kenmerk',
    reasonLabel: 'Reden',
    periodLabel: 'Periode',
    totalLabel: 'Totaal',
    openLabel: 'Nog te betalen',
    statusLabel: 'Status',
    status: statuses[state] ?? '',
    button: state === 'open' ? 'Bekijken en betalen' : `${document} bekijken`,
    linkHint: 'Of open dit adres in uw browser:',
    attached: 'De pdf zit in de bijlage.',
    closing: 'Met vriendelijke groet,',
  };
};
