/** The API's lower-case word of an enum value: VAT_TREATMENT_ZERO → zero. A value we do not know is a fault of ours. */
export function toWord<W extends string>(prefix: string, value: string, words: readonly W[]): W {
  const word = value.slice(prefix.length).toLowerCase();
  if (!value.startsWith(prefix) || !(words as readonly string[]).includes(word))
    throw new Error(`the API has no word for ${value}`);
  return word as W;
}

/** The way back, for words that a schema has let through. */
export const fromWord = <E extends string>(prefix: string, word: string): E => `${prefix}${word.toUpperCase()}` as E;
