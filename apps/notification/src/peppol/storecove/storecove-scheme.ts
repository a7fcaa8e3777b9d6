// Storecove's names of the lists that participants' ids are of ("Receiver identifiers" in its documentation), by ICD or EAS code.
const NAMES: Readonly<Record<string, string>> = {
  '0007': 'SE:ORGNR',
  '0088': 'GLN',
  '0106': 'NL:KVK',
  '0184': 'DK:DIGST',
  '0190': 'NL:OINO',
  '0192': 'NO:ORG',
  '0208': 'BE:EN',
  '0211': 'IT:IVA',
  '0216': 'FI:OVT',
};

// Of a VAT number Storecove names the country by ISO 3166; the number itself has the prefix of the VAT directive.
const VAT_COUNTRY: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB' };

/** A participant (`0208:0123456749`) as Storecove names it; undefined where it has no name for the list. */
export function storecoveIdentifier(participant: string): { readonly scheme: string; readonly id: string } | undefined {
  const scheme = participant.slice(0, 4);
  const id = participant.slice(5);
  const name = NAMES[scheme];
  if (name) return { scheme: name, id };
  const country = /^99\d\d$/.test(scheme) ? /^[A-Z]{2}/.exec(id)?.[0] : undefined;
  return country === undefined ? undefined : { scheme: `${VAT_COUNTRY[country] ?? country}:VAT`, id };
}
