import { notFoundError } from '@invoicing/errors';
import { accountInvoice, readAccount, type Account } from '../account/account';
import type { Entry } from '../account/entry';
import { factsOf } from '../account/account';
import { openAmount } from '../account/open-amount';
import { businessDate } from '../invoices/business-date';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { DEFAULT_TIMEZONE, type Organization } from '../organizations/organization';
import { planOf } from './plan-reminders';
import type { NotSent, Reminder } from './reminder';
import { claimOf, type Claim, type ReminderStep } from './reminder-plan';
import type { ReminderPorts } from './reminder-ports';
import type { OpenSince } from './statutory-interest';

/** What a reminder says at this moment, or why it says nothing any more. */
export type Described =
  | { readonly issued: IssuedInvoice; readonly notSent: NotSent }
  | {
      readonly issued: IssuedInvoice;
      readonly claim: Claim;
      readonly step: ReminderStep;
      readonly last: boolean;
      /** Another of this invoice was sent before. */
      readonly again: boolean;
      /** Of the organisation in the invoice's language; empty: ours. */
      readonly text: string;
    };

/** Everything is looked at anew: nothing is said of what is paid, being paid, excepted, or reminded of by a later step. */
export async function describeReminder(ports: ReminderPorts, reminder: Reminder): Promise<Described> {
  const { organizationId, invoiceId, customerId, profileId } = reminder;
  const issued = await accountInvoice(ports, organizationId, invoiceId);
  const plans = await ports.reminderPlans.of(organizationId);
  const { enabled, steps, rates } = planOf(plans, profileId);
  const step = steps[reminder.step];
  const notSent = (why: NotSent): Described => ({ issued, notSent: why });
  if (!(enabled || reminder.unplanned) || !step) return notSent('off');
  const account = await readAccount(ports, issued);
  if (account.now.openCents === 0) return notSent('paid');
  if ((await ports.reminderExceptions.among(organizationId, [invoiceId, customerId])).size > 0)
    return notSent('excepted');
  const all = await ports.reminders.ofInvoice(organizationId, invoiceId);
  if (all.some((each) => each.step > reminder.step)) return notSent('superseded');
  if (await isBeingPaid(ports, organizationId, invoiceId)) return notSent('payment_in_process');
  const organization = await ports.organizations.find(organizationId);
  if (!organization) throw notFoundError('the organisation');
  const { companyName, btwId, kvkNumber, countryCode } = issued.buyer;
  const noticed = all.find((each) => each.state === 'sent' && each.claim.notice !== undefined);
  const debt = {
    isConsumer: companyName === '' && btwId === '' && kvkNumber === '',
    ...{ sellerCountry: issued.seller.countryCode, buyerCountry: countryCode, dueDate: issued.dueDate },
    ...{ openCents: account.now.openCents, open: openSince(issued, account) },
    ...(noticed && { notice: { sentOn: sentOn(noticed, organization), channel: noticed.channel } }),
  };
  return {
    issued,
    step,
    last: reminder.step === steps.length - 1,
    again: all.some(({ state, _id }) => state === 'sent' && _id !== reminder._id),
    claim: claimOf(step, debt, reminder.day, rates),
    text: step.texts.find(({ language }) => language === issued.language)?.text ?? '',
  };
}

/** A letter may leave days after the day that it is dated: the term runs from when it did. */
function sentOn({ day, sentAt }: Reminder, { details }: Organization): string {
  const left = sentAt ? businessDate(sentAt, details.timezone ?? DEFAULT_TIMEZONE) : day;
  return left > day ? left : day;
}

/** A provider has a payment that is neither done nor failed, or the bank has money that a person is asked about. */
const isBeingPaid = async (ports: ReminderPorts, organizationId: string, invoiceId: string): Promise<boolean> =>
  (await ports.bankLines.isAsked(organizationId, invoiceId)) || (await ports.isBeingPaid(organizationId, invoiceId));

/** What was open from each day on which anything happened. */
export function openSince(issued: IssuedInvoice, { entries, credits }: Account): OpenSince[] {
  const days = [...new Set([issued.issueDate, ...entries.map(({ date }) => date), ...credits.map(({ date }) => date)])];
  return days.sort().map((from) => {
    const until = (each: { readonly date: string }): boolean => each.date <= from;
    const facts = factsOf(
      issued,
      credits.filter(until),
      entries.filter((each: Entry) => until(each)),
    );
    return { from, openCents: openAmount(facts).openCents };
  });
}
