import { validationError, type Violation } from './app-error';

/** What checking an input comes to: the value in its checked form, or everything that is wrong; never both, never neither. */
export type Checked<T> =
  | { readonly value: T; readonly violations?: undefined }
  | { readonly value?: undefined; readonly violations: readonly Violation[] };

/** A check that found nothing wrong. */
export const valid = <T>(value: T): Checked<T> => ({ value });

/** A check that found something wrong; with nothing to say when another check says it. */
export const refused = (...violations: Violation[]): Checked<never> => ({ violations });

/** The value when the list is empty, else what is wrong; the value is only made when there is one. */
export const validUnless = <T>(violations: readonly Violation[], value: () => T): Checked<T> =>
  violations.length > 0 ? { violations } : { value: value() };

/** The value, unless a sentence says what is wrong with it; `path` is its JSON Pointer. */
export const faultless = <T>(value: T, path: string, fault: string | undefined): Checked<T> =>
  fault === undefined ? { value } : { violations: [{ path, message: fault }] };

/** A list of checks as one: all the values, or everything that is wrong with any of them, in order. */
export function everyValid<T>(checks: readonly Checked<T>[]): Checked<T[]> {
  if (checks.some((each) => each.violations)) return { violations: checks.flatMap((each) => each.violations ?? []) };
  return { value: checks.map((each) => each.value as T) };
}

/** Several checks as one: all the values by their names, or everything that is wrong with any of them, in the order of the checks. */
export function allValid<T extends Record<string, unknown>>(checks: {
  readonly [K in keyof T]: Checked<T[K]>;
}): Checked<T> {
  const all = everyValid(Object.values(checks as Record<string, Checked<unknown>>));
  if (all.violations) return all;
  return { value: Object.fromEntries(Object.keys(checks).map((name, index) => [name, all.value[index]])) as T };
}

/** The value of a check; throws `validation` with everything that is wrong. */
export function requireValid<T>(checked: Checked<T>): T {
  if (checked.violations) throw validationError(checked.violations);
  return checked.value;
}
