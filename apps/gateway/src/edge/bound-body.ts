import { type Violation } from '@invoicing/errors';
import { isPrintable } from '@invoicing/rules';

// The largest honest body is an invoice of 500 lines with 5 fields each.
const MAX_DEPTH = 16;
const MAX_VALUES = 20_000;

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * What is wrong with a parsed body whatever its schema: too deep, too wide, keys that mean something to JavaScript or to a database,
 * text that cannot be stored as it came. Run before the schema, so that nothing hostile reaches it.
 */
export function boundViolations(body: unknown): Violation[] {
  const violations: Violation[] = [];
  let values = 0;
  const visit = (value: unknown, path: string, depth: number): void => {
    if (++values > MAX_VALUES) return;
    if (typeof value === 'string') {
      const fault = textFault(value);
      if (fault) violations.push({ path, message: fault });
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) {
        violations.push({ path, message: `must not be nested deeper than ${MAX_DEPTH} levels` });
        return;
      }
      if (Array.isArray(value)) value.forEach((each, at) => visit(each, `${path}/${at}`, depth + 1));
      else
        for (const key of Object.keys(value)) {
          const at = `${path}/${pointerToken(key)}`;
          if (PROTOTYPE_KEYS.has(key) || key.startsWith('$'))
            violations.push({ path: at, message: 'is a forbidden name' });
          else visit((value as Record<string, unknown>)[key], at, depth + 1);
        }
    }
  };
  visit(body, '', 0);
  if (values > MAX_VALUES) return [{ path: '', message: `must not hold more than ${MAX_VALUES} values` }];
  return violations;
}

/** One token of a JSON Pointer (RFC 6901). */
export const pointerToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

// Line breaks are left to each field's own rule.
function textFault(text: string): string | undefined {
  if (LONE_SURROGATE.test(text)) return 'must be valid Unicode';
  if (!isPrintable(text, true)) return 'must not contain control characters';
  // A name that stands for a prototype in some program down the line.
  if (text === '__proto__') return 'must not be __proto__';
  return undefined;
}
