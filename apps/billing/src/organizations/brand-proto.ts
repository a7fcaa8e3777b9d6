import type { Brand } from '@invoicing/contracts/invoicing/billing/v1/brands';
import type { FrozenInvoice, Party } from '../invoices/invoice';

/** House style on the wire, and who is behind it. */
export function toBrand(
  {
    profileName,
    accentColor,
    footer,
    logo,
  }: Pick<FrozenInvoice['style'], 'profileName' | 'accentColor' | 'footer' | 'logo'>,
  { name, kvkNumber, btwId, email, phone = '' }: Party,
  test: boolean,
): Brand {
  return {
    name: profileName || name,
    accentColor,
    footer,
    logo: logo ? Buffer.from(logo) : undefined,
    sellerName: name,
    ...{ kvkNumber, btwId, email, phone, test },
  };
}
