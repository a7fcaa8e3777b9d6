/** Makes the API's lower-case words of an enum's values: VAT_TREATMENT_ZERO → zero. A value we do not know is a fault of ours. */
export function wordsOf<W extends string>(prefix: string, words: readonly W[]): (value: string) => W {
  const byValue = new Map(words.map((word) => [prefix + word.toUpperCase(), word]));
  return (value) => {
    const word = byValue.get(value);
    if (word === undefined) throw new Error(`the API has no word for ${value}`);
    return word;
  };
}

/** The way back, for words that a schema has let through. */
export const fromWord = <E extends string>(prefix: string, word: string): E => `${prefix}${word.toUpperCase()}` as E;
