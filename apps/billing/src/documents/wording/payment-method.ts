import type { Prepayment } from '../../invoices/invoice';
import { formatDate, type Language } from '@invoicing/design';
import { WORDING } from './wording';

/** Names as they are written in a sentence, by the provider's id. */
const NAMES: Readonly<Record<string, string | Record<Language, string>>> = {
  applepay: 'Apple Pay',
  bancontact: 'Bancontact',
  banktransfer: { nl: 'bankoverschrijving', en: 'bank transfer', de: 'Überweisung', fr: 'virement' },
  belfius: 'Belfius',
  bizum: 'Bizum',
  blik: 'BLIK',
  creditcard: { nl: 'creditcard', en: 'credit card', de: 'Kreditkarte', fr: 'carte de crédit' },
  directdebit: { nl: 'incasso', en: 'direct debit', de: 'Lastschrift', fr: 'prélèvement' },
  eps: 'EPS',
  giftcard: { nl: 'cadeaukaart', en: 'gift card', de: 'Geschenkkarte', fr: 'carte cadeau' },
  googlepay: 'Google Pay',
  ideal: 'iDEAL',
  in3: 'iDEAL in3',
  kbc: 'KBC/CBC',
  klarna: 'Klarna',
  mbway: 'MB WAY',
  mobilepay: 'MobilePay',
  multibanco: 'Multibanco',
  mybank: 'MyBank',
  paybybank: { nl: 'betalen via uw bank', en: 'pay by bank', de: 'Pay by Bank', fr: 'paiement par banque' },
  paypal: 'PayPal',
  paysafecard: 'paysafecard',
  pointofsale: { nl: 'pin', en: 'card', de: 'Karte', fr: 'carte' },
  przelewy24: 'Przelewy24',
  riverty: 'Riverty',
  satispay: 'Satispay',
  swish: 'Swish',
  trustly: 'Trustly',
  twint: 'TWINT',
  vipps: 'Vipps',
  voucher: { nl: 'cadeaubon', en: 'voucher', de: 'Gutschein', fr: 'bon' },
  wero: 'Wero',
};

/** A method that nobody told us of goes by the provider's own id. */
export function methodName(id: string, language: Language): string {
  const name = Object.hasOwn(NAMES, id) ? NAMES[id] : undefined;
  return typeof name === 'object' ? name[language] : (name ?? id);
}

/** "Betaald op 21 november 2026 via iDEAL", without a full stop. */
export function paidSentence({ date, method }: Pick<Prepayment, 'date' | 'method'>, language: Language): string {
  const words = WORDING[language];
  const day = formatDate(date, language);
  return method === '' ? words.paidOn(day) : words.paidBy(day, methodName(method, language));
}
