type Row = Readonly<Record<string, unknown>>;

/** What people are shown of each thing in a list, whatever verb lists it; programs get all of it (`--json`). */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  org: ['id', 'name', 'mode', 'plan', 'billingStatus', 'kvkNumber', 'btwId'],
  profile: ['id', 'name', 'numberFormat', 'accentColor', 'hasLogo', 'later', 'starts'],
  key: ['id', 'prefix', 'scopes', 'profileId', 'lastUsedAt', 'expiresAt', 'revokedAt'],
  provider: ['id', 'provider', 'connectedAt'],
  webhook: ['id', 'url', 'events', 'enabled', 'disabledReason'],
  user: ['id', 'email', 'role', 'status', 'createdAt'],
  invoice: ['number', 'kind', 'status', 'customer', 'issueDate', 'dueDate', 'totalCents', 'openCents', 'seller'],
  customer: ['id', 'name', 'companyName', 'email', 'city', 'countryCode', 'archivedAt'],
  product: ['id', 'name', 'unitPriceCents', 'vatRateBps', 'unit', 'sku', 'archivedAt'],
  subscription: ['id', 'customerId', 'freq', 'interval', 'status', 'nextRunDate', 'lineCount', 'lastError'],
  checkout: ['id', 'title', 'status', 'amountInclCents', 'createdAt', 'expiresAt', 'invoiceNumber'],
  mail: ['at', 'to', 'subject', 'status', 'error', 'resentBy'],
  letter: ['at', 'invoiceId', 'status', 'error'],
  reminder: [
    ...['number', 'step', 'channel', 'state', 'why'],
    ...['openCents', 'costsCents', 'interestCents', 'createdAt', 'sentAt'],
  ],
  exception: ['kind', 'id', 'reason', 'at'],
  series: [
    ...['name', 'count', 'last', 'gapless', 'chainValid', 'numbersUnique'],
    ...['datesOutOfOrder', 'signed', 'signaturesValid'],
  ],
  deliveries: ['at', 'eventType', 'status', 'attempts', 'answer', 'id'],
  boxes: ['box', 'baseCents', 'vatCents', 'baseEuros', 'vatEuros', 'documents', 'documentsWithWarnings'],
  period: ['id', 'from', 'to', 'status', 'closedAt', 'closedBy', 'count', 'reopenedBecause'],
  gap: ['account', 'after', 'before', 'expectedCents', 'foundCents'],
};

/** A noun, or the name of a list, by its singular. */
const columnsOf = (name: string): readonly string[] | undefined => COLUMNS[name] ?? COLUMNS[name.replace(/s$/, '')];

/** The same answer with the columns of its noun where it is a list, or has lists that are called by theirs; no cursor where there is no next page. */
export function inColumns(noun: string, answer: unknown): unknown {
  if (Array.isArray(answer)) return picked(answer, columnsOf(noun));
  if (answer === null || typeof answer !== 'object' || answer instanceof Date) return answer;
  const lists = Object.entries(answer).map(([name, value]: [string, unknown]) =>
    Array.isArray(value) ? [name, picked(value, columnsOf(name))] : [name, value],
  );
  return Object.fromEntries(lists.filter(([name, value]) => name !== 'cursor' || value !== null));
}

/** Of the columns those that some row has something in, so that the widest tables fit. */
function picked(rows: readonly unknown[], columns: readonly string[] | undefined): readonly unknown[] {
  if (!columns || rows.some((row) => row === null || typeof row !== 'object')) return rows;
  const isSaid = (column: string): boolean => rows.some((row) => hasValue((row as Row)[column]));
  const shown = columns.filter(isSaid);
  return rows.map((row) => Object.fromEntries(shown.map((column) => [column, inOneLine((row as Row)[column])])));
}

const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

const LONGEST_LIST = 40;

/** Words of a list in one cell, and how many there are when they are too many for one; times to the minute. */
function inOneLine(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ');
  if (!Array.isArray(value)) return value;
  const words = value.join(', ');
  return words.length > LONGEST_LIST ? `${value.length}: ${words.slice(0, LONGEST_LIST)}…` : words;
}
