// What a name has beside the name: legal forms, titles, "and/or" of joint accounts.
const NOT_A_NAME = new Set(
  (
    'BV NV VOF CV VOFF STICHTING VERENIGING GMBH AG KG OHG UG SARL SAS SA SPRL BVBA LTD LIMITED PLC INC LLC ' +
    'DE HET DEN DER VAN VON TE TEN TER EO CJ HR DHR MW MEVR MRS MR MS DR IR ING DRS PROF HEER MEVROUW FIRMA EN AND ET UND'
  ).split(' '),
);
const SPECIAL: Readonly<Record<string, string>> = { ß: 'SS', Æ: 'AE', Œ: 'OE', Ø: 'O', Ł: 'L', Đ: 'D', Þ: 'TH' };
/** Shorter words say too little alone. */
const TELLING = 3;

/** The words of a name that tell people apart: upper case, without accents, legal forms, titles and particles. */
export function nameWords(name: string): string[] {
  const plain = name
    .toUpperCase()
    .replace(/[ßÆŒØŁĐÞ]/g, (letter) => SPECIAL[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // B.V. is a word, J. is an initial.
    .replace(/\b(\p{L})\.(?=\p{L}\.)/gu, '$1')
    .replace(/(\p{L})\/(\p{L})/gu, '$1$2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const words = plain.split(' ').filter(Boolean);
  const telling = words.filter((word) => !NOT_A_NAME.has(word));
  // A company may be called nothing else.
  return telling.length > 0 ? telling : words;
}

/**
 * Whether two names are of the same payer: every word of the shorter is in the longer, as itself or as its initial; at least one telling
 * word is the same in full; and two fit, unless there is only one in both. "J. de Vries" is "Jan de Vries"; "Vries" alone is nobody.
 */
export function isSameName(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  // Most pairs of names share nothing.
  if (!short.some((word) => word.length >= TELLING && long.includes(word))) return false;
  const left = [...long];
  let full = 0;
  let fitting = 0;
  // Whole words first, so that an initial does not take the place of one.
  for (const word of [...short].sort((a, b) => b.length - a.length)) {
    const same = left.indexOf(word);
    const at = same >= 0 ? same : left.findIndex((each) => isInitial(word, each));
    if (at < 0) return false;
    left.splice(at, 1);
    fitting += 1;
    if (same >= 0 && word.length >= TELLING) full += 1;
  }
  return full > 0 && (fitting >= 2 || long.length === 1);
}

const isInitial = (one: string, other: string): boolean =>
  one[0] === other[0] && (one.length === 1 || other.length === 1);
