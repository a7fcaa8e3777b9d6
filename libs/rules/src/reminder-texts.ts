/** Every sentence of a reminder, in an e-mail or a letter. Plain text: whoever shows it escapes it. */
export interface ReminderTexts {
  /** What it is: a first, another or the last reminder. */
  readonly title: string;
  /** The same, and of which invoice. */
  readonly subject: string;
  readonly preheader: string;
  /** Paragraphs. */
  readonly intro: string;
  readonly costsLabel: string;
  readonly interestLabel: string;
  readonly sumLabel: string;
}

/** What the sentences are about; amounts and days as they are read. */
export interface ReminderFacts {
  readonly number: string;
  readonly seller: string;
  readonly open: string;
  readonly sum: string;
  readonly dueDate: string;
  /** None was sent before it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The notice that the law asks for before costs (art. 6:96 lid 6 BW). */
  readonly notice: { readonly costs: string; readonly until: string } | undefined;
}

type Written = Omit<ReminderTexts, 'subject'> & { readonly about: string };

const dutch = ({ number, seller, open, sum, dueDate, isFirst, isLast, notice }: ReminderFacts): Written => ({
  title: isFirst ? 'Herinnering' : isLast ? 'Laatste aanmaning' : 'Aanmaning',
  about: `factuur ${number} van ${seller}`,
  preheader: `Nog te betalen: ${sum}`,
  intro:
    (isFirst
      ? `Misschien is het u ontgaan: van factuur ${number} staat nog ${open} open. Die had op ${dueDate} betaald moeten zijn.`
      : `Ondanks onze eerdere herinnering staat van factuur ${number} nog ${open} open. Die had op ${dueDate} betaald moeten zijn.`) +
    (notice
      ? ` U heeft nog veertien dagen om te betalen, te rekenen vanaf de dag nadat u dit bericht heeft ontvangen. Ontvangen wij uw betaling niet binnen die termijn (uiterlijk ${notice.until}), dan brengen wij ${notice.costs} incassokosten in rekening.`
      : ' Wij verzoeken u het bedrag nu te betalen.') +
    ' Heeft u intussen betaald, dan kunt u dit bericht als niet verzonden beschouwen.',
  costsLabel: 'Incassokosten',
  interestLabel: 'Wettelijke rente',
  sumLabel: 'Samen te betalen',
});

const english = ({ number, seller, open, sum, dueDate, isFirst, isLast, notice }: ReminderFacts): Written => ({
  title: isFirst ? 'Reminder' : isLast ? 'Final reminder' : 'Further reminder',
  about: `invoice ${number} from ${seller}`,
  preheader: `Still to be paid: ${sum}`,
  intro:
    (isFirst
      ? `It may have escaped you: ${open} of invoice ${number} is still open. It was due on ${dueDate}.`
      : `Despite our earlier reminder ${open} of invoice ${number} is still open. It was due on ${dueDate}.`) +
    (notice
      ? ` You have fourteen more days to pay, from the day after you received this message. If we have not received your payment by then (${notice.until} at the latest), we shall charge ${notice.costs} in collection costs.`
      : ' Please pay it now.') +
    ' If you have paid in the meantime, please disregard this message.',
  costsLabel: 'Collection costs',
  interestLabel: 'Statutory interest',
  sumLabel: 'To be paid in all',
});

const german = ({ number, seller, open, sum, dueDate, isFirst, isLast, notice }: ReminderFacts): Written => ({
  title: isFirst ? 'Zahlungserinnerung' : isLast ? 'Letzte Mahnung' : 'Mahnung',
  about: `Rechnung ${number} von ${seller}`,
  preheader: `Noch zu zahlen: ${sum}`,
  intro:
    (isFirst
      ? `Vielleicht ist es Ihnen entgangen: Von Rechnung ${number} sind noch ${open} offen. Sie war am ${dueDate} fällig.`
      : `Trotz unserer früheren Erinnerung sind von Rechnung ${number} noch ${open} offen. Sie war am ${dueDate} fällig.`) +
    (notice
      ? ` Sie haben noch vierzehn Tage Zeit, gerechnet ab dem Tag nach Erhalt dieser Nachricht. Geht Ihre Zahlung nicht bis dahin ein (spätestens am ${notice.until}), berechnen wir ${notice.costs} Inkassokosten.`
      : ' Wir bitten Sie, den Betrag jetzt zu zahlen.') +
    ' Haben Sie inzwischen gezahlt, betrachten Sie diese Nachricht bitte als gegenstandslos.',
  costsLabel: 'Inkassokosten',
  interestLabel: 'Gesetzliche Zinsen',
  sumLabel: 'Insgesamt zu zahlen',
});

const french = ({ number, seller, open, sum, dueDate, isFirst, isLast, notice }: ReminderFacts): Written => ({
  title: isFirst ? 'Rappel' : isLast ? 'Dernier rappel' : 'Nouveau rappel',
  about: `facture ${number} de ${seller}`,
  preheader: `Reste à payer : ${sum}`,
  intro:
    (isFirst
      ? `Cela vous a peut-être échappé : ${open} de la facture ${number} restent dus. L'échéance était le ${dueDate}.`
      : `Malgré notre précédent rappel, ${open} de la facture ${number} restent dus. L'échéance était le ${dueDate}.`) +
    (notice
      ? ` Vous avez encore quatorze jours pour payer, à compter du lendemain de la réception de ce message. Sans paiement dans ce délai (au plus tard le ${notice.until}), nous facturerons ${notice.costs} de frais de recouvrement.`
      : ' Nous vous prions de payer ce montant maintenant.') +
    ' Si vous avez payé entre-temps, veuillez ne pas tenir compte de ce message.',
  costsLabel: 'Frais de recouvrement',
  interestLabel: 'Intérêts légaux',
  sumLabel: 'Total à payer',
});

const LANGUAGES: Partial<Record<string, (facts: ReminderFacts) => Written>> = { en: english, de: german, fr: french };

/** In the language of the document; in Dutch when it is none of ours. */
export function reminderTexts(language: string, facts: ReminderFacts): ReminderTexts {
  const { about, ...texts } = (LANGUAGES[language] ?? dutch)(facts);
  return { ...texts, subject: `${texts.title}${language === 'fr' ? ' : ' : ': '}${about}` };
}
