import { type PaymentMethod } from '../sessions/session-ports';
import bancontact from './logos/bancontact.svg';
import banktransfer from './logos/banktransfer.svg';
import creditcard from './logos/creditcard.svg';
import generic from './logos/generic.svg';
import ideal from './logos/ideal.svg';
import paypal from './logos/paypal.svg';
import { type Language } from './texts';

const LOGOS: Readonly<Record<string, string>> = { ideal, bancontact, creditcard, banktransfer, paypal };
const NAMES: Readonly<Record<string, Record<Language, string>>> = {
  ideal: { nl: 'iDEAL | Wero', en: 'iDEAL | Wero' },
  bancontact: { nl: 'Bancontact', en: 'Bancontact' },
  creditcard: { nl: 'Creditcard', en: 'Credit card' },
  banktransfer: { nl: 'Bankoverschrijving', en: 'Bank transfer' },
};

const own = <T>(table: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(table, id) ? table[id] : undefined;

/** Our own drawings, never a provider's pictures: a page loads nothing from elsewhere. */
export const methodLogo = (id: string): string => own(LOGOS, id) ?? generic;

export const methodName = ({ id, name }: PaymentMethod, language: Language): string =>
  own(NAMES, id)?.[language] ?? (name || id);
