import { type Language } from '@invoicing/design';
import { type PaymentMethod } from '../sessions/session-ports';

const NAMES: Readonly<Record<string, Record<Language, string> | string>> = {
  ideal: 'iDEAL | Wero',
  bancontact: 'Bancontact',
  creditcard: { nl: 'Creditcard', en: 'Credit card', de: 'Kreditkarte', fr: 'Carte de crédit' },
  banktransfer: { nl: 'Bankoverschrijving', en: 'Bank transfer', de: 'Überweisung', fr: 'Virement' },
};

/** As its owner writes it, or the language has it; else what the provider calls it. */
export function methodName({ id, name }: PaymentMethod, language: Language): string {
  const known = Object.hasOwn(NAMES, id) ? NAMES[id] : undefined;
  return typeof known === 'object' ? known[language] : (known ?? (name || id));
}
