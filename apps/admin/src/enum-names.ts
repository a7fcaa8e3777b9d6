/** `PLAN_STANDARD` ↔ `standard`: the contract's enum values by the words that people and the API use. */
export const wordOf = (prefix: string, value: string): string => value.slice(prefix.length + 1).toLowerCase();

export const enumOf = <T extends string>(prefix: string, word: string): T => `${prefix}_${word.toUpperCase()}` as T;
