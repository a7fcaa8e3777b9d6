import { type PayerFault } from '../sessions/payer-form';
import { type Language } from '../sessions/session';

export type { Language };

/** Everything the pages say. `{…}` is filled in by the template. */
const nl = {
  pageTitle: 'Betalen',
  payTo: 'Betalen aan',
  total: 'Totaal',
  subtotal: 'Subtotaal',
  vat: 'Btw',
  vatZero: 'Btw 0%',
  vatExempt: 'Vrijgesteld van btw',
  vatReverse: 'Btw verlegd',
  vatIntra: 'Intracommunautaire levering',
  inclVat: 'inclusief btw',
  over: 'over',
  showLines: 'Bekijk wat u betaalt',
  invoice: 'Factuur',
  methods: 'Hoe wilt u betalen?',
  details: 'Factuurgegevens',
  detailsHint: 'Op deze gegevens komt uw factuur. U ontvangt hem direct na betaling per e-mail.',
  asPerson: 'Particulier',
  asCompany: 'Bedrijf',
  customerType: 'Ik betaal als',
  name: 'Naam',
  contactName: 'Contactpersoon',
  email: 'E-mailadres',
  companyName: 'Bedrijfsnaam',
  addressLine1: 'Straat en huisnummer',
  postalCode: 'Postcode',
  city: 'Plaats',
  countryCode: 'Land',
  btwId: 'Btw-id',
  btwIdHint: 'Bijvoorbeeld NL001234567B01',
  kvkNumber: 'KvK-nummer',
  kvkNumberHint: '8 cijfers',
  optional: 'optioneel',
  pay: 'Betaal {amount}',
  paying: 'Een ogenblik …',
  secure: 'U betaalt in de beveiligde omgeving van uw bank of betaalprovider.',
  fixErrors: 'Controleer de gemarkeerde velden.',
  chooseMethod: 'Kies een betaalmethode.',
  methodGone: 'Deze betaalmethode is niet (meer) beschikbaar. Kies een andere.',
  failedTitle: 'De betaling is niet gelukt',
  failedText: 'Er is niets afgeschreven. U kunt het opnieuw proberen, ook met een andere methode.',
  canceledTitle: 'U hebt de betaling afgebroken',
  canceledText: 'Er is niets afgeschreven. U kunt het opnieuw proberen wanneer u wilt.',
  timeoutTitle: 'De betaling is verlopen',
  timeoutText: 'De betaling is niet op tijd afgerond. U kunt het opnieuw proberen.',
  mismatchTitle: 'De betaling klopt niet',
  mismatchText: 'Het ontvangen bedrag wijkt af van het totaal. Neem contact op met {seller}.',
  unfinishedTitle: 'Nog niet betaald',
  unfinishedText:
    'We hebben nog geen betaling ontvangen. Hebt u wel betaald? Wacht dan even: u hoeft niet nog eens te betalen.',
  downTitle: 'Betalen lukt nu even niet',
  downText: 'De betaalprovider antwoordt niet. Er is niets afgeschreven. Probeer het over een minuut opnieuw.',
  downUnfinishedText:
    'De betaalprovider antwoordt niet. Hebt u net betaald? Dan hoeft dat niet nog eens: zodra we het weten, staat het hier.',
  again: 'Opnieuw proberen',
  noProviderTitle: 'Online betalen is nog niet mogelijk',
  noProviderText: '{seller} heeft nog geen betaalprovider gekoppeld. Probeer het later opnieuw of neem contact op.',
  noMethodTitle: 'Geen betaalmethode beschikbaar',
  noMethodText: 'Voor dit bedrag is er nu geen betaalmethode. Neem contact op met {seller}.',
  tooManyTitle: 'Te veel pogingen',
  tooManyText: 'Deze betaalpagina is te vaak gebruikt. Vraag {seller} om een nieuwe.',
  pendingTitle: 'We wachten op bevestiging',
  pendingText: 'Uw betaling wordt verwerkt. Dat duurt meestal maar kort; u hoeft niet opnieuw te betalen.',
  pendingLeave: 'U kunt deze pagina sluiten. Zodra de betaling binnen is, ontvangt u de factuur per e-mail.',
  pendingLeaveInvoice: 'U kunt deze pagina sluiten. Zodra de betaling binnen is, staat de factuur op betaald.',
  refresh: 'Status vernieuwen',
  paidTitle: 'Bedankt, uw betaling is ontvangen',
  paidText: 'De factuur is onderweg naar uw mailbox.',
  paidInvoiceText: 'De factuur is betaald.',
  paidAmount: 'Betaald',
  method: 'Methode',
  viewInvoice: 'Bekijk de factuur',
  continue: 'Verder naar {host}',
  continueSoon: 'U gaat vanzelf verder.',
  surplus: 'U hebt twee keer betaald. De tweede betaling storten we terug.',
  expiredTitle: 'Deze betaalpagina is verlopen',
  expiredText: 'Vraag {seller} om een nieuwe betaalpagina.',
  closedTitle: 'Deze factuur kan niet online worden betaald',
  closedText: 'Neem contact op met {seller} als u vragen hebt.',
  settledTitle: 'Deze factuur is al betaald',
  settledText: 'U hoeft niets meer te doen.',
  notFoundTitle: 'Deze pagina bestaat niet',
  notFoundText: 'Controleer of u het hele adres hebt overgenomen.',
  errorTitle: 'Er ging iets mis',
  errorText:
    'Probeer het zo opnieuw. Hebt u al betaald? Dan is uw betaling veilig en hoeft u niet nog eens te betalen.',
  otherLanguage: 'English',
};

const en: typeof nl = {
  pageTitle: 'Payment',
  payTo: 'Pay to',
  total: 'Total',
  subtotal: 'Subtotal',
  vat: 'VAT',
  vatZero: 'VAT 0%',
  vatExempt: 'Exempt from VAT',
  vatReverse: 'VAT reverse charged',
  vatIntra: 'Intra-Community supply',
  inclVat: 'including VAT',
  over: 'on',
  showLines: 'See what you pay for',
  invoice: 'Invoice',
  methods: 'How would you like to pay?',
  details: 'Invoice details',
  detailsHint: 'Your invoice is made out to these details. You receive it by e-mail right after payment.',
  asPerson: 'Private person',
  asCompany: 'Company',
  customerType: 'I am paying as a',
  name: 'Name',
  contactName: 'Contact person',
  email: 'E-mail address',
  companyName: 'Company name',
  addressLine1: 'Street and house number',
  postalCode: 'Postal code',
  city: 'City',
  countryCode: 'Country',
  btwId: 'VAT number',
  btwIdHint: 'For example NL001234567B01',
  kvkNumber: 'KVK number',
  kvkNumberHint: '8 digits for a Dutch company',
  optional: 'optional',
  pay: 'Pay {amount}',
  paying: 'One moment …',
  secure: 'You pay in the secure environment of your bank or payment provider.',
  fixErrors: 'Please check the marked fields.',
  chooseMethod: 'Choose a payment method.',
  methodGone: 'This payment method is not available (any more). Please choose another one.',
  failedTitle: 'The payment did not succeed',
  failedText: 'Nothing was charged. You can try again, with another method if you like.',
  canceledTitle: 'You cancelled the payment',
  canceledText: 'Nothing was charged. You can try again whenever you like.',
  timeoutTitle: 'The payment expired',
  timeoutText: 'The payment was not completed in time. You can try again.',
  mismatchTitle: 'The payment does not match',
  mismatchText: 'The amount received differs from the total. Please contact {seller}.',
  unfinishedTitle: 'Not paid yet',
  unfinishedText:
    'We have not received a payment yet. If you did pay, please wait a moment: there is no need to pay again.',
  downTitle: 'Paying is not possible right now',
  downText: 'The payment provider does not answer. Nothing was charged. Please try again in a minute.',
  downUnfinishedText:
    'The payment provider does not answer. If you have just paid, do not pay again: this page shows it as soon as we know.',
  again: 'Try again',
  noProviderTitle: 'Online payment is not possible yet',
  noProviderText: '{seller} has not connected a payment provider yet. Please try later or get in touch.',
  noMethodTitle: 'No payment method available',
  noMethodText: 'There is no payment method for this amount right now. Please contact {seller}.',
  tooManyTitle: 'Too many attempts',
  tooManyText: 'This payment page was used too often. Please ask {seller} for a new one.',
  pendingTitle: 'Waiting for confirmation',
  pendingText: 'Your payment is being processed. This usually takes a moment; you need not pay again.',
  pendingLeave: 'You may close this page. As soon as the payment arrives you receive the invoice by e-mail.',
  pendingLeaveInvoice: 'You may close this page. As soon as the payment arrives the invoice is marked as paid.',
  refresh: 'Refresh status',
  paidTitle: 'Thank you, your payment was received',
  paidText: 'The invoice is on its way to your mailbox.',
  paidInvoiceText: 'The invoice is paid.',
  paidAmount: 'Paid',
  method: 'Method',
  viewInvoice: 'View the invoice',
  continue: 'Continue to {host}',
  continueSoon: 'You will be taken there automatically.',
  surplus: 'You paid twice. The second payment is being refunded.',
  expiredTitle: 'This payment page has expired',
  expiredText: 'Please ask {seller} for a new payment page.',
  closedTitle: 'This invoice cannot be paid online',
  closedText: 'Please contact {seller} if you have any questions.',
  settledTitle: 'This invoice is already paid',
  settledText: 'There is nothing left for you to do.',
  notFoundTitle: 'This page does not exist',
  notFoundText: 'Please check that you copied the whole address.',
  errorTitle: 'Something went wrong',
  errorText:
    'Please try again shortly. If you have already paid, your payment is safe and there is no need to pay again.',
  otherLanguage: 'Nederlands',
};

export const texts: Record<Language, typeof nl> = { nl, en };

export const faultTexts: Record<Language, Record<PayerFault, string>> = {
  nl: {
    required: 'Vul dit veld in.',
    too_long: 'Dit is te lang.',
    unprintable: 'Hier staan tekens in die we niet kunnen afdrukken.',
    email: 'Vul een geldig e-mailadres in.',
    country: 'Kies een land.',
    btw_id: 'Dit is geen geldig btw-id.',
  },
  en: {
    required: 'Please fill this in.',
    too_long: 'This is too long.',
    unprintable: 'This contains characters that we cannot print.',
    email: 'Please enter a valid e-mail address.',
    country: 'Please choose a country.',
    btw_id: 'This is not a valid VAT number.',
  },
};

/** What the payer's browser prefers; an explicit choice wins. */
export function languageOf(chosen: unknown, acceptLanguage: string | undefined): Language {
  if (chosen === 'nl' || chosen === 'en') return chosen;
  const ranked = (acceptLanguage ?? '')
    .split(',')
    .map((part, index) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = Number(
        parameters
          .find((each) => each.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      );
      return { language: tag.split('-')[0], quality: Number.isNaN(quality) ? 0 : quality, index };
    })
    .filter(({ language, quality }) => (language === 'nl' || language === 'en') && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
  const best = ranked[0]?.language as Language | undefined;
  // Whoever prefers a third language is better off with English.
  return best ?? (/[a-z]/i.test(acceptLanguage ?? '') ? 'en' : 'nl');
}
