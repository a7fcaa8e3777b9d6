import { getField, isDoc, type Doc, type Value } from '../bson/value';

export type ValueTest = (value: Value | undefined) => boolean;

/** A compiled filter. */
export type Matcher = (doc: Doc) => boolean;

export const isArrayIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/** The position in the outermost array through which the last positive predicate matched: what `$` stands for in an update. */
export const positional: { index: number | undefined } = { index: undefined };

/**
 * True when any value that the path reaches passes the test. Arrays on the way are entered both by index and
 * through their documents; with `expand` an array at the end is tried whole and element by element.
 */
export function anyValue(
  value: Value | undefined,
  parts: readonly string[],
  depth: number,
  test: ValueTest,
  expand: boolean,
): boolean {
  if (depth === parts.length) return atEnd(value, test, expand);
  const part = parts[depth]!;
  if (Array.isArray(value)) {
    if (isArrayIndex(part) && Number(part) < value.length) {
      if (anyValue(value[Number(part)], parts, depth + 1, test, expand)) return true;
    }
    for (let i = 0; i < value.length; i++) {
      if (isDoc(value[i]) && anyValue(value[i], parts, depth, test, expand)) {
        positional.index = i;
        return true;
      }
    }
    return false;
  }
  return isDoc(value) ? anyValue(getField(value, part), parts, depth + 1, test, expand) : test(undefined);
}

function atEnd(value: Value | undefined, test: ValueTest, expand: boolean): boolean {
  if (test(value)) return true;
  if (!expand || !Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) {
    if (test(value[i])) {
      positional.index = i;
      return true;
    }
  }
  return false;
}
