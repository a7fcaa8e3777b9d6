import type { InvoiceMailTexts, MailFacts, MailState } from './mail-texts';

/** The texts of a mail to somebody who reads French. */
export const frenchMailTexts = (facts: MailFacts): InvoiceMailTexts => {
  const { state, number, seller, name, credited, total, open, dueDate } = facts;
  const isCredit = state === 'credit';
  const preheaders: Record<MailState, string> = {
    credit: `Total ${total}`,
    open: open
      ? `Reste à payer : ${open}, au plus tard le ${dueDate}`
      : `Total ${total}, à payer au plus tard le ${dueDate}`,
    paid: `Total ${total}, payée`,
    settled: 'Vous n’avez rien à payer',
  };
  const intros: Record<MailState, string> = {
    credit: `Veuillez trouver ci-joint notre avoir sur la facture ${credited}.`,
    open: 'Veuillez trouver ci-joint votre facture. Vous pouvez la consulter et la payer en ligne.',
    paid: 'Merci pour votre paiement. Voici votre facture ; vous n’avez plus rien à faire. Vous pouvez la consulter et la télécharger en ligne.',
    settled: 'Voici votre facture ; vous n’avez rien à payer. Vous pouvez la consulter et la télécharger en ligne.',
  };
  const statuses: Partial<Record<MailState, string>> = { paid: 'Payée', settled: 'Rien à payer' };
  return {
    language: 'fr',
    subject: `${isCredit ? 'Avoir' : 'Facture'} ${number} de ${seller}`,
    preheader: preheaders[state],
    greeting: name ? `Bonjour ${name},` : 'Bonjour,',
    intro: intros[state],
    numberLabel: isCredit ? 'Avoir' : 'Numéro de facture',
    issuedLabel: state === 'credit' ? 'Date' : 'Date de facture',
    dueLabel: 'Échéance',
    referenceLabel: 'Votre référence',
    reasonLabel: 'Motif',
    periodLabel: 'Période',
    totalLabel: 'Total',
    openLabel: 'Reste à payer',
    statusLabel: 'Statut',
    status: statuses[state] ?? '',
    button: state === 'open' ? 'Voir et payer' : isCredit ? 'Voir l’avoir' : 'Voir la facture',
    linkHint: 'Ou ouvrez cette adresse dans votre navigateur :',
    attached: 'Le PDF est en pièce jointe.',
    closing: 'Cordialement,',
  };
};
