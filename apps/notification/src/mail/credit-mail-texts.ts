import type { InvoiceMailTexts } from './mail-texts';

/** What a credit note does; amounts as they are read. */
interface CreditFacts {
  /** Number of the invoice that it credits. */
  readonly credited: string;
  /** What the credit note takes off it; of one below zero what it adds. */
  readonly amount: string;
  /** What is still to be paid of the invoice, or was paid too much. */
  readonly open: string;
}

/** `below_zero`: the invoice rises; `owed`: something of it is still to be paid; `settled`: nothing is; `too_much`: money goes back. */
export type CreditOutcome = 'below_zero' | 'owed' | 'settled' | 'too_much';

type Sentences = Readonly<Record<CreditOutcome, (facts: CreditFacts) => string>>;

/** What happens to the reader's money, by what is open of the invoice that was credited. */
const SENTENCES: Readonly<Record<InvoiceMailTexts['language'], Sentences>> = {
  nl: {
    below_zero: ({ credited, amount }) => `Factuur ${credited} wordt hierdoor ${amount} hoger.`,
    owed: ({ credited, amount, open }) =>
      `Factuur ${credited} wordt ${amount} lager. Daarvan is nog ${open} te betalen.`,
    settled: ({ credited, amount }) =>
      `Factuur ${credited} wordt ${amount} lager. U hoeft daarvan niets meer te betalen.`,
    too_much: ({ credited, open }) =>
      `Voor factuur ${credited} hebt u nu ${open} te veel betaald. Dat betalen wij terug of verrekenen wij met een openstaande factuur.`,
  },
  en: {
    below_zero: ({ credited, amount }) => `Invoice ${credited} rises by ${amount}.`,
    owed: ({ credited, amount, open }) =>
      `Invoice ${credited} is reduced by ${amount}. Of it, ${open} is still to be paid.`,
    settled: ({ credited, amount }) =>
      `Invoice ${credited} is reduced by ${amount}. There is nothing left to pay for it.`,
    too_much: ({ credited, open }) =>
      `You have now paid ${open} too much for invoice ${credited}. We will refund it or set it off against an open invoice.`,
  },
  de: {
    below_zero: ({ credited, amount }) => `Rechnung ${credited} erhöht sich um ${amount}.`,
    owed: ({ credited, amount, open }) =>
      `Rechnung ${credited} verringert sich um ${amount}. Davon sind noch ${open} zu zahlen.`,
    settled: ({ credited, amount }) =>
      `Rechnung ${credited} verringert sich um ${amount}. Dafür müssen Sie nichts mehr zahlen.`,
    too_much: ({ credited, open }) =>
      `Für Rechnung ${credited} haben Sie nun ${open} zu viel gezahlt. Wir zahlen den Betrag zurück oder verrechnen ihn mit einer offenen Rechnung.`,
  },
  fr: {
    below_zero: ({ credited, amount }) => `La facture ${credited} augmente de ${amount}.`,
    owed: ({ credited, amount, open }) => `La facture ${credited} diminue de ${amount}. Il en reste ${open} à payer.`,
    settled: ({ credited, amount }) =>
      `La facture ${credited} diminue de ${amount}. Vous n’avez plus rien à payer pour elle.`,
    too_much: ({ credited, open }) =>
      `Pour la facture ${credited}, vous avez maintenant payé ${open} de trop. Nous vous remboursons ou le déduisons d’une facture en cours.`,
  },
};

/** `creditedOpenCents`: below zero when more was paid than is owed; `inclCents`: of the credit note. */
export function creditOutcome(inclCents: number, creditedOpenCents: number): CreditOutcome {
  if (inclCents < 0) return 'below_zero';
  if (creditedOpenCents < 0) return 'too_much';
  return creditedOpenCents > 0 ? 'owed' : 'settled';
}

export const creditSentence = (
  language: InvoiceMailTexts['language'],
  outcome: CreditOutcome,
  facts: CreditFacts,
): string => SENTENCES[language][outcome](facts);
