import type { Language } from './texts';

// What services say of a field, in Dutch; `$1` is what stands in the message. Whatever is not here is shown as it was said.
const DUTCH: readonly [RegExp, string][] = [
  [/^is required( without a product)?$/, 'is nodig'],
  [/^must be an e-mail address$/, 'is geen e-mailadres'],
  [/^must be at most (\d+) characters$/, 'mag hoogstens $1 tekens hebben'],
  [/^must be an ISO 3166-1 alpha-2 code$/, 'is geen land'],
  [/^must be a VAT identification number.*$/, 'is geen btw-nummer, zoals NL001234567B01'],
  [/^is not a KvK number: in NL it has 8 digits$/, 'is geen KvK-nummer: dat heeft 8 cijfers'],
  [/^must be a date as YYYY-MM-DD$/, 'is geen datum'],
  [/^must not be before the issue date$/, 'mag niet voor de factuurdatum liggen'],
  [/^must not be after today$/, 'mag niet na vandaag liggen'],
  [/^must be a decimal number$/, 'is geen getal'],
  [/^must be an amount$/, 'is geen bedrag'],
  [/^must have at most (\d+) decimals$/, 'mag hoogstens $1 decimalen hebben'],
  [/^must be a whole number of cents.*$/, 'is geen bedrag dat kan'],
  [/^must have 1 to (\d+) lines$/, 'moet 1 tot $1 regels hebben'],
  [/^is not a (customer|product|profile) of this organisation$/, 'hoort niet bij deze organisatie'],
  [/^must be from (\S+) to (\S+?);.*$/, 'moet tussen $1 en $2 liggen'],
  [/^must be at most what is open: (\d+)$/, 'mag niet meer zijn dan wat openstaat'],
  [/^must not contain control characters$/, 'bevat een teken dat niet kan'],
  [/^must be a percentage from 0 to 100$/, 'is geen percentage van 0 tot 100'],
  [/^connect an access point first$/, 'koppel eerst een access point (Instellingen, Peppol)'],
  [
    /^is refused by the access point, or may not send as this sender$/,
    'het access point weigert deze sleutel, of deze afzender',
  ],
  [/^has no address on Peppol$/, 'heeft geen adres op Peppol'],
  [/^must be a Storecove API key$/, 'is geen API-sleutel van Storecove'],
  [/^must be the number of a Storecove LegalEntity$/, 'is geen nummer van een Storecove LegalEntity'],
  [/^is the same (customer|product)$/, 'is dezelfde'],
  [/^is (merged|erased) itself$/, 'is zelf samengevoegd of gewist'],
  [/^is merged already: bring it back first$/, 'is al samengevoegd: haal het eerst terug'],
  [/^is credited already$/, 'is al gecrediteerd'],
  [/^everything is credited already$/, 'alles is al gecrediteerd'],
  [/^the organisation would be left without an owner$/, 'de organisatie zou geen eigenaar meer hebben'],
  [/^is not a role$/, 'is geen rol'],
  [/^must be a valid IBAN$/, 'is geen IBAN'],
  [/^must be a valid BIC$/, 'is geen BIC'],
  [/^must be a telephone number.*$/, 'is geen telefoonnummer, zoals +31 20 123 4567'],
  [/^must be an IANA time zone.*$/, 'is geen tijdzone, zoals Europe/Amsterdam'],
  [/^must be a PNG or JPEG image$/, 'is geen PNG of JPEG'],
  [/^must be at most (\d+) bytes$/, 'mag hoogstens $1 bytes groot zijn'],
  [/^must be a colour as #rrggbb$/, 'is geen kleur'],
  [/^must be before today, (\S+)$/, 'moet voor vandaag liggen ($1)'],
  [/^must be a whole number from (\d+) to (\d+)$/, 'moet een heel getal van $1 tot $2 zijn'],
  [/^must be from (\d+) to (\d+)$/, 'moet van $1 tot $2 zijn'],
  [/^must have \{SEQ\} or \{SEQ:n\} exactly once$/, 'moet {SEQ} of {SEQ:n} precies één keer hebben'],
  [/^must have \{YYYY\} or \{YY\} exactly once$/, 'moet {YYYY} of {YY} precies één keer hebben'],
  [
    /^may otherwise have only letters, digits, spaces and .*$/,
    'mag verder alleen letters, cijfers, spaties en . / _ - hebben',
  ],
  [
    /^prints numbers that (\S+) of another profile prints too: add a prefix$/,
    'geeft nummers die $1 van een ander profiel ook geeft: zet er iets voor',
  ],
  [/^is a (test|live) key and the organisation is (test|live): .*$/, 'is een sleutel voor $1, en de organisatie is $2'],
  [/^must be in the future$/, 'moet in de toekomst liggen'],
  [/^names none$/, 'noemt er geen'],
  [/^is refused by its mail server$/, 'de mailserver van dit adres weigert'],
  [/^must not be more than (\d+) years ago$/, 'mag niet meer dan $1 jaar geleden zijn'],
];

/** What is wrong, for people. */
export function faultText(message: string, language: Language): string {
  if (language !== 'nl') return message;
  const found = DUTCH.find(([pattern]) => pattern.test(message));
  return found ? message.replace(found[0], found[1]) : message;
}
