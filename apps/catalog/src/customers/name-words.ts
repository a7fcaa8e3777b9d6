// More than a name has that people look for.
const MOST_WORDS = 16;

/** The words of a text as they are looked for: small letters and digits, without accents. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** What a customer is found by: each word of the name and the company once. */
export const nameWords = ({ name, companyName = '' }: { name: string; companyName?: string | undefined }): string[] =>
  [...new Set(wordsOf(`${name} ${companyName}`))].slice(0, MOST_WORDS);
