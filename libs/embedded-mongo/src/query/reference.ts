/** The fields of a DBRef begin with `$` but are fields. */
export const isReference = (name: string): boolean => /^\$(ref|id|db)(\.|$)/.test(name);
