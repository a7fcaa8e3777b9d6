import { getField, isDoc, type Doc, type Value } from '../bson/value';

/** `whole`: an array that its position in another array was asked for; it counts as one value, not as its items. */
export type ValueTest = (value: Value | undefined, whole?: boolean) => boolean;

/** A compiled filter. */
export type Matcher = (doc: Doc) => boolean;

/** Whether a part of a path can be a place in an array. */
export const isArrayIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/** The position in the outermost array through which the last positive predicate matched: what `$` stands for in an update. */
export const positional: { index: number | undefined } = { index: undefined };

/**
 * True when any value that the path reaches passes the test. Arrays on the way are entered both through their documents
 * and by index; with `expand` an array at the end is tried whole and element by element, unless its index was asked for:
 * `a.0` of `[[1, 2], 3]` is `[1, 2]` and nothing else.
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
    const index = isArrayIndex(part) ? Number(part) : -1;
    for (let i = 0; i < value.length; i++) {
      if (isDoc(value[i]) && anyValue(value[i], parts, depth, test, expand)) {
        positional.index = i;
        return true;
      }
      if (i === index && atIndex(value[i]!, parts, depth + 1, test, expand)) return true;
    }
    return false;
  }
  return isDoc(value) ? anyValue(getField(value, part), parts, depth + 1, test, expand) : test(undefined);
}

/** A number or a text that stands where the path goes on is nothing, not even a missing value. */
function atIndex(value: Value, parts: readonly string[], depth: number, test: ValueTest, expand: boolean): boolean {
  if (depth === parts.length) return test(value, true);
  return (isDoc(value) || Array.isArray(value)) && anyValue(value, parts, depth, test, expand);
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
