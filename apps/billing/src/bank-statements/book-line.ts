import { AppError } from '@invoicing/errors';
import { accountInvoice } from '../account/account';
import { providerEntryId } from '../account/entry';
import { recordPayment } from '../account/record-payment';
import { reverse } from '../account/reverse-entry';
import { DEFAULT_TIMEZONE } from '../organizations/organization';
import { startOfDay } from '../subscriptions/recurrence';
import { bankPaymentId, type BankLine } from './bank-line';
import type { BankPorts } from './bank-ports';
import { plainText } from './unreadable';

/** As long as a line takes at most; then somebody else goes on with it. */
export const LINE_LEASE_MS = 60_000;
const PROVIDER = 'bank';

/** The payment that a part of a line is on an account, under the only id that it can have there. */
export const bankEntryId = (line: Pick<BankLine, '_id' | 'tries'>, part: number): string =>
  providerEntryId('payment', PROVIDER, bankPaymentId(line, part));

/**
 * Does what was decided about a line: puts it on the accounts, or takes it off them again. Each entry has its id from the line, so that
 * whoever does it again, or beside somebody else, makes none twice.
 */
export const settleLine = (ports: BankPorts, line: BankLine): Promise<void> =>
  line.state === 'booking'
    ? bookLine(ports, line)
    : line.state === 'undoing'
      ? unbookLine(ports, line)
      : Promise.resolve();

async function bookLine(ports: BankPorts, line: BankLine): Promise<void> {
  const { organizationId, bookings, bookedOn, by, counterName, counterIban, text, creditorReference } = line;
  const organization = await ports.organizations.find(organizationId);
  const paidAt = startOfDay(bookedOn, organization?.details.timezone ?? DEFAULT_TIMEZONE);
  const said = {
    reference: plainText(text || creditorReference, 140),
    note: plainText(`${counterName} ${counterIban}`, 200),
  };
  try {
    for (const [part, { invoiceId, amountCents }] of bookings.entries()) {
      const paymentId = bankPaymentId(line, part);
      const payment = { amountCents, provider: PROVIDER, method: 'banktransfer', paymentId, paidAt, ...said };
      // A rule books exactly what is open when it is booked; a person may know better.
      const options = { onlyIfOpen: line.rule !== 'person' };
      await recordPayment(ports, organizationId, invoiceId, payment, { id: paymentId, by }, options);
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'conflict') throw error;
    const dueAt = new Date(ports.now().getTime() + LINE_LEASE_MS);
    const undoing = { state: 'undoing', why: 'changed_meanwhile', dueAt } as const;
    if (await ports.bankLines.change(line, undoing)) await unbookLine(ports, { ...line, ...undoing });
    return;
  }
  await ports.bankLines.change(line, { state: 'booked', dueAt: undefined });
}

/**
 * Reverses every entry that this try made or, by somebody slow, may still make: what is reversed before it is there counts no more than
 * what is reversed after. Whatever is booked from now on are entries of another try.
 */
async function unbookLine(ports: BankPorts, line: BankLine): Promise<void> {
  const { organizationId, bookings, by, note = '' } = line;
  const why = line.why ?? 'undone';
  for (const [part, { invoiceId, amountCents }] of bookings.entries()) {
    const _id = bankEntryId(line, part);
    const issued = await accountInvoice(ports, organizationId, invoiceId);
    await reverse(ports, issued, { _id, amountCents }, note || 'what is open has changed', { id: _id, by });
  }
  const question = { state: 'question', why, rule: undefined, bookings: [], dueAt: undefined } as const;
  await ports.bankLines.change(line, { ...question, tries: line.tries + 1 });
}
