import { isCountryCode, isEmailAddress, isUuid } from '@invoicing/rules';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
const EARLIEST_YEAR = 1900;

/** The formats that our schemas name, each with what a client is told. */
export const formats = {
  uuid: { fits: (text: string) => isUuid(text.toLowerCase()), message: 'must be a UUID' },
  // Blank counts as absent, as forms send it.
  email: { fits: (text: string) => text === '' || isEmailAddress(text), message: 'must be an e-mail address' },
  'country-code': {
    fits: (text: string) => text === '' || isCountryCode(text),
    message: 'must be an ISO 3166-1 alpha-2 code',
  },
  date: { fits: isDate, message: 'must be an existing date as YYYY-MM-DD' },
  'date-time': { fits: (text: string) => TIMESTAMP.test(text), message: 'must be an ISO 8601 UTC timestamp' },
  uri: { fits: isUrl, message: 'must be an absolute http or https URL' },
};

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || year < EARLIEST_YEAR) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

// What may be pointed at (https, loopback) is the rule of the service that keeps it; here only what is no address at all is refused.
function isUrl(text: string): boolean {
  if (/[\s\\]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}
