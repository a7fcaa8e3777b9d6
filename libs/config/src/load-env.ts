import { cleanEnv, makeValidator, type CleanedEnv, type Spec, type ValidatorSpec } from 'envalid';

export { bool, host, makeValidator, num, port, str, url } from 'envalid';

/** All that is wrong with the environment, in one message. */
export class ConfigError extends Error {}

const secretSpecs = new WeakSet<object>();

const secretValidator = makeValidator<string>((input) => {
  if (input === '') throw new Error('must not be empty');
  return input;
});

/** A value that is never printed. It has no default: a secret comes from the environment or not at all. */
export const secret = (spec: Spec<string> = {}): ValidatorSpec<string> => {
  const made = secretValidator(spec) as ValidatorSpec<string>;
  secretSpecs.add(made);
  return made;
};

/** Base of public addresses: absolute http or https, without a query. */
export const publicUrl = makeValidator<string>((input) => {
  const parsed = URL.canParse(input) ? new URL(input) : undefined;
  if (
    !parsed ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.search !== '' ||
    parsed.hash !== '' ||
    parsed.username !== ''
  )
    throw new Error('must be an absolute http:// or https:// address, without user name, query and fragment');
  return input;
});

/** Reads what `specs` names from `env`; throws one ConfigError that names every fault. */
export function loadEnv<S extends Record<string, ValidatorSpec<unknown>>>(
  env: NodeJS.ProcessEnv,
  specs: S,
): CleanedEnv<S> {
  const faults: string[] = [];
  const cleaned = cleanEnv(env, specs, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) faults.push(`${name}: ${error?.message || 'is missing'}`);
    },
  });
  if (faults.length > 0) throw new ConfigError(`the environment does not fit:\n  ${faults.join('\n  ')}`);
  // A plain object: envalid's own is a proxy that throws on names it does not know, such as `then`.
  return Object.freeze(
    Object.fromEntries(Object.keys(specs).map((name) => [name, (cleaned as Record<string, unknown>)[name]])),
  ) as CleanedEnv<S>;
}

/** What may be logged at start: secrets and credentials in addresses are masked. */
export function maskedSummary<S extends Record<string, ValidatorSpec<unknown>>>(
  specs: S,
  values: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const value = values[name];
      if (value === undefined) return [name, null];
      if (secretSpecs.has(spec)) return [name, '***'];
      return [name, typeof value === 'string' ? maskCredentials(value) : value];
    }),
  );
}

/** Every address of a list with its user name and password masked: all up to the last @ before the host. */
const maskCredentials = (text: string): string =>
  text
    .split(/,(?=[a-z][a-z0-9+.-]*:\/\/)/i)
    .map((address) => address.replace(/\/\/.*@/, '//***@'))
    .join(',');
