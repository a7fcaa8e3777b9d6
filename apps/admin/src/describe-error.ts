import { AppError } from '@invoicing/errors';

/** What went wrong, for who typed the command: fields are named as the flags that set them. `flags`: the command's own, e.g. `--kvk-number`. */
export function describeError(error: unknown, flags: readonly string[]): string {
  if (!(error instanceof AppError)) return isError(error) ? plain(error) : String(error);
  if (error.kind === 'unavailable')
    return ['the service cannot be reached: is the platform running? (npm start)', detailsOf(error)]
      .join('\n')
      .trimEnd();
  const details = error.details?.map(({ path, message }) => `  ${nameOf(path, flags)} ${message}`.trimEnd()) ?? [];
  return [details.length > 0 ? error.code : `${error.code}: ${error.publicMessage}`, ...details].join('\n');
}

/** What gRPC says of it, as an address that refused the connection. */
function detailsOf({ cause }: AppError): string {
  const { details } = (cause ?? {}) as { details?: unknown };
  return typeof details === 'string' && details !== '' ? `  ${details}` : '';
}

// The API's word where it is not the flag's.
const FLAG_OF: Readonly<Record<string, string>> = {
  organizationId: '--org',
  profileId: '--profile',
  customerId: '--customer',
  invoiceId: '<id>',
  file: '<file>',
  countryCode: '--country',
  expiresAt: '--expires-in',
  mailQuotaPerDay: '--mail-quota',
  daysBack: '--issue-days-back',
  daysAhead: '--issue-days-ahead',
};

/** `/details/kvkNumber` → `--kvk-number`; a pointer into a file, or to what has no flag, stays one. */
function nameOf(pointer: string, flags: readonly string[]): string {
  const names = pointer.split('/').filter((part) => part !== '' && !/^\d+$/.test(part));
  const name = names.at(-1) ?? '';
  const flag = FLAG_OF[name] ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return flags.includes(flag) || flag.startsWith('<') ? flag : pointer;
}

const isError = (error: unknown): error is Error => typeof error === 'object' && error !== null && 'message' in error;

/** A file that cannot be read is named; the system's own words are not. */
function plain(error: Error): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path) return `there is no file ${path}`;
  if (code === 'EACCES' && path) return `${path} may not be read or written`;
  if (code === 'EISDIR' && path) return `${path} is a folder`;
  if (error.name === 'SyntaxError') return `the file is not JSON: ${error.message}`;
  return error.message;
}
