import type { Account } from '../../account/account';
import { type Entry, TRANSFER } from '../../account/entry';
import { effectiveEntries } from '../../account/open-amount';
import type { FrozenInvoice } from '../../invoices/invoice';
import type { AccountEntry, SheetAccount } from './sheet-source';

/** What of an account a sheet shows. */
export type ShownAccount = Pick<Account, 'entries' | 'credits' | 'now'>;

/**
 * What a sheet says of an invoice's account; undefined while the document as it was issued still says all there is: nothing happened
 * since, and its term has not passed. What was reversed is left out, with its reversal.
 */
export function sheetAccount(
  { kind, dueDate, prepayment }: FrozenInvoice,
  { entries, credits, now }: ShownAccount,
  { today }: { readonly today: string },
): SheetAccount | undefined {
  if (kind === 'credit_note') return undefined;
  const effective = effectiveEntries(entries);
  const told = effective.some((entry) => entry.type === 'payment' && entry.paymentId === prepayment?.id);
  const since = effective.filter((entry) => !(entry.type === 'payment' && entry.paymentId === prepayment?.id));
  const isLate = now.openCents > 0 && today > dueDate;
  if (since.length === 0 && credits.length === 0 && !isLate) return undefined;
  const frozen = prepayment && !told ? [prepaid(prepayment)] : [];
  const shown = [...frozen, ...effective.flatMap(shownEntry), ...credits.map(creditEntry)];
  return {
    openCents: now.openCents - now.surplusCents,
    entries: shown.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)),
    today,
  };
}

const prepaid = ({ date, amountCents, method }: NonNullable<FrozenInvoice['prepayment']>): AccountEntry => ({
  kind: 'payment',
  date,
  settlesCents: amountCents,
  method,
});

const creditEntry = ({ date, amountCents, number }: Account['credits'][number]): AccountEntry => ({
  kind: 'credit_note',
  date,
  settlesCents: amountCents,
  number,
});

/** Settlements move no money, and what was reversed no longer counts. */
function shownEntry(entry: Entry): AccountEntry[] {
  const { date, amountCents, type } = entry;
  if (type === 'settlement' || type === 'reversal' || type === 'overdue') return [];
  if (type === 'write_off') return [{ kind: type, date, settlesCents: amountCents }];
  const kind = entry.provider === TRANSFER ? 'move' : type;
  return [{ kind, date, settlesCents: type === 'payment' ? amountCents : -amountCents, method: entry.method }];
}
