import { brand, fontStack, palettes, testNotice, type Brand, type Language } from '@invoicing/design';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { headerText } from './mime-message';
import type { MailAttachment } from './mail-transport';

/** By which the HTML of a message names the logo that comes along in it. */
const LOGO_ID = 'logo';

/** The inks of both themes, for styles that stand in the markup: most mail programs read no stylesheet. */
export const mailInks = { ...palettes, fontStack };

/** A brand as the template of a message takes it. */
export const mailLook = ({ name, light, dark, logo, footer }: Brand, language: Language, isTest: boolean) => ({
  ...mailInks,
  seller: headerText(name),
  colors: light,
  darkColors: dark,
  logo: logo ? `cid:${LOGO_ID}` : '',
  footer,
  testNotice: isTest ? testNotice(language) : '',
});

/** The logo as a part of the message itself. */
export const logoPart = ({ logo }: Brand): readonly MailAttachment[] =>
  logo
    ? [
        {
          filename: logo.type === 'image/png' ? 'logo.png' : 'logo.jpg',
          contentType: logo.type,
          content: Buffer.from(logo.content),
          contentId: LOGO_ID,
        },
      ]
    : [];

/** What is known of a brand without asking billing: a message is not held up by its looks. */
export const brandOfInvoice = ({ seller, accentColor }: Pick<Invoice, 'seller' | 'accentColor'>): Brand =>
  brand({ name: seller?.name ?? '', accentColor, ...(seller && { seller }) });
