import type { FrozenInvoice, Party } from '../../invoices/invoice';
import { countryName } from './country-name';
import type { Language } from '@invoicing/design';

/** Street, place and, when the parties live in different countries, the country. */
export function addressLines(party: Party, { seller, buyer }: FrozenInvoice, language: Language): string[] {
  const isAbroad = seller.countryCode !== buyer.countryCode && seller.countryCode && buyer.countryCode;
  const place = [party.postalCode, party.city].filter(Boolean).join('\u00a0 ');
  return [party.addressLine1, place, isAbroad ? countryName(party.countryCode, language) : ''].filter(Boolean);
}
