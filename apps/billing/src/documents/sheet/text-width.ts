// Widest advance of Inter's regular, medium and semibold characters of each kind, in em.
const KINDS: readonly (readonly [RegExp, number])[] = [
  [/[ijltfrI.,:;'!|()[\] ]/, 0.42],
  [/[mwMW@%]/, 1.04],
  [/[A-Z&+<=>~]/, 0.8],
  [/[ -~]/, 0.68],
  [/[\u00a0-\u017f‐-„€−]/, 1.04],
];

/**
 * A width in em that the text surely does not exceed on one line; null when nobody knows without setting it. Cheap, so that a table
 * of 500 lines need not set every description twice.
 */
export function widthAtMost(text: string): number | null {
  let sum = 0;
  for (const character of text) {
    const kind = KINDS.find(([characters]) => characters.test(character));
    if (!kind) return null;
    sum += kind[1];
  }
  return sum;
}
