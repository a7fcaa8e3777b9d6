import type { InvoiceMailTexts, MailFacts } from './mail-texts';

/** The texts of a mail to somebody who reads French. */
export const frenchMailTexts = (facts: MailFacts): InvoiceMailTexts => {
  const { isCredit, isPaid, number, seller, name, credited, total, dueDate } = facts;
  return {
    language: 'fr',
    subject: `${isCredit ? 'Avoir' : 'Facture'} ${number} de ${seller}`,
    preheader: isCredit
      ? `Total ${total}`
      : isPaid
        ? `Total ${total}, payée`
        : `Total ${total}, à payer au plus tard le ${dueDate}`,
    greeting: name ? `Bonjour ${name},` : 'Bonjour,',
    intro: isCredit
      ? `Veuillez trouver ci-joint notre avoir sur la facture ${credited}.`
      : isPaid
        ? 'Merci pour votre paiement. Voici votre facture ; vous n’avez plus rien à faire. Vous pouvez la consulter et la télécharger en ligne.'
        : 'Veuillez trouver ci-joint votre facture. Vous pouvez la consulter et la payer en ligne.',
    numberLabel: isCredit ? 'Avoir' : 'Numéro de facture',
    issuedLabel: 'Date',
    dueLabel: 'Échéance',
    totalLabel: 'Total',
    statusLabel: 'Statut',
    paid: 'Payée',
    button: isCredit ? 'Voir l’avoir' : isPaid ? 'Voir la facture' : 'Voir et payer',
    linkHint: 'Ou ouvrez cette adresse dans votre navigateur :',
    attached: 'Le PDF est en pièce jointe.',
    testNotice: 'Ceci est un test. Vous n’avez rien à payer.',
    closing: 'Cordialement,',
  };
};
