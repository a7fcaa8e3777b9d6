import { validationError, type Violation } from './app-error';

/** What checking an input comes to: the value in its checked form, or everything that is wrong; never both, never neither. */
export type Checked<T> =
  | { readonly value: T; readonly violations?: undefined }
  | { readonly value?: undefined; readonly violations: readonly Violation[] };

/** A check that found nothing wrong. */
export const valid = <T>(value: T): Checked<T> => ({ value });

/** A check that found something wrong. */
export const refused = (...violations: Violation[]): Checked<never> => ({ violations });

/** The value when the list is empty, else what is wrong; the value is only made when there is one. */
export const validUnless = <T>(violations: readonly Violation[], value: () => T): Checked<T> =>
  violations.length > 0 ? { violations } : { value: value() };

/** Several checks as one: all the values, or everything that is wrong with any of them, in the order of the checks. */
export function allValid<T extends Record<string, unknown>>(checks: {
  readonly [K in keyof T]: Checked<T[K]>;
}): Checked<T> {
  const violations = Object.values(checks as Record<string, Checked<unknown>>).flatMap((each) => each.violations ?? []);
  return validUnless(
    violations,
    () =>
      Object.fromEntries(Object.entries(checks).map(([name, each]) => [name, (each as Checked<unknown>).value])) as T,
  );
}

/** The value of a check; throws `validation` with everything that is wrong. */
export function requireValid<T>(checked: Checked<T>): T {
  if (checked.violations) throw validationError(checked.violations);
  return checked.value;
}
