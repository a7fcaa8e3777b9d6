import { validationError, type Violation } from '@invoicing/errors';

// Control characters, line separators and what XML cannot carry would break mail headers, PDFs and e-invoices.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]/u;

/** Checks the fields of one input and gathers all that is wrong, so that a caller hears everything at once. */
export interface FieldRules {
  /** The text, or undefined when it is absent or blank: forms send empty strings for what was not filled in. */
  text: (path: string, value: string | undefined, maxLength: number) => string | undefined;
  refuse: (path: string, message: string) => void;
  /** Throws `validation` with everything that was refused. */
  finish: () => void;
}

export function fieldRules(): FieldRules {
  const violations: Violation[] = [];
  const refuse = (path: string, message: string): void => void violations.push({ path, message });
  return {
    refuse,
    text: (path, value, maxLength) => {
      if (value === undefined || value.trim() === '') return undefined;
      if (value.length > maxLength) refuse(path, `must be at most ${maxLength} characters`);
      if (UNPRINTABLE.test(value)) refuse(path, 'must not contain control characters');
      return value;
    },
    finish: () => {
      if (violations.length > 0) throw validationError(violations);
    },
  };
}
