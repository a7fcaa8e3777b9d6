import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { ReminderContent } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import type { Brand } from '@invoicing/design';
import { AppError } from '@invoicing/errors';
import { isEmailAddress } from '@invoicing/rules';
import { composeInvoiceMail } from './compose-invoice-mail';
import { logoPart } from './mail-look';
import { keepLease } from './keep-lease';
import { afterFailure, type MailOutcome } from './mail-outcome';
import type { InvoiceMailPorts } from './mail-ports';
import type { KnownOfMail, MailDocument } from './mail-store';
import { MailFailure, type MailAttachment, type OutgoingMail } from './mail-transport';

/** No attempt takes longer. */
const ATTEMPT_MS = 60_000;
/** Short, and renewed while the attempt runs: when this process dies, another goes on within seconds. */
export const LEASE_MS = 5_000;
const RENEW_MS = 2_000;
const BILLING_CALL_MS = 10_000;

/** One attempt at a message whose lease is ours; stores how it went. `closing` ends it. Throws `absent` to who `isAsking`, and then nothing is left of it. */
export async function attemptMail(
  ports: InvoiceMailPorts,
  mail: MailDocument,
  { closing, isAsking }: { readonly closing: AbortSignal; readonly isAsking: boolean },
): Promise<MailOutcome> {
  const { mails, log } = ports;
  let known: KnownOfMail = {};
  const lease = keepLease(() => mails.renew(mail, LEASE_MS), {
    everyMs: RENEW_MS,
    limitMs: ATTEMPT_MS,
    onError: (error) => log.warn({ mailId: mail._id, error }, 'lease of a mail not renewed'),
  });
  try {
    const learn = (more: KnownOfMail): void => void (known = { ...known, ...more });
    await sendMail(ports, mail, AbortSignal.any([closing, lease.over]), learn);
  } catch (error) {
    if (isAsking && isAbsent(error)) {
      await mails.discard(mail);
      throw error;
    }
    const { code, counts, dueAt } = afterFailure(mail, error, {
      isClosing: closing.aborted,
      now: mails.now(mail.organizationId),
    });
    log.warn({ mailId: mail._id, code, attempts: mail.attempts, dueAt, error }, 'mail not sent');
    if (counts || !dueAt) await mails.markFailed(mail, code, dueAt, known);
    else await mails.postpone(mail, code, dueAt, known);
    return { emailed: false, emailError: code };
  } finally {
    lease.stop();
  }
  await mails.markSent(mail, known);
  log.info({ mailId: mail._id, invoiceId: mail.invoiceId, attempts: mail.attempts }, 'mail sent');
  return { emailed: true, emailError: '' };
}

export const isAbsent = (error: unknown): boolean => error instanceof AppError && error.kind === 'absent';

async function sendMail(
  { mails, invoices, transport, testTransport, quota, from }: InvoiceMailPorts,
  mail: MailDocument,
  signal: AbortSignal,
  learn: (known: KnownOfMail) => void,
): Promise<void> {
  const { invoice, brand, files } = await invoices.mail(mail, BILLING_CALL_MS, signal);
  // Asked for each attempt: what was paid since is reminded of no more.
  const { reminderId } = mail;
  const reminder = reminderId
    ? await invoices.reminder({ organizationId: mail.organizationId, reminderId }, BILLING_CALL_MS, signal)
    : undefined;
  if (reminder?.withdrawn) throw new MailFailure('withdrawn', true);
  const to = mail.resend?.to ?? invoice.buyer?.email ?? '';
  learn({ to });
  if (!isEmailAddress(to)) throw new MailFailure(to === '' ? 'no_recipient' : 'recipient_rejected', true);
  const outgoing = outgoingMail(invoice, mail, { to, from, files, reminder, brand });
  learn({ subject: outgoing.subject, attachments: files.map(({ filename }) => filename) });
  // Known from then on: a message that is tried again takes no second place.
  learn({ quotaDay: mail.quotaDay ?? (await quota(mail, mails.now(mail.organizationId))) });
  if (invoice.test && mail.testScenario === 'smtp_down' && mail.attempts === 1)
    throw new MailFailure('smtp_unavailable', false, { cause: new Error('Test-Scenario: smtp_down') });
  await (invoice.test ? testTransport : transport).send(outgoing, signal);
}

/** The same for every attempt, but for what billing answers: see OutgoingMail. */
function outgoingMail(
  invoice: Invoice,
  mail: MailDocument,
  parts: {
    readonly to: string;
    readonly from: InvoiceMailPorts['from'];
    readonly files: readonly MailAttachment[];
    readonly reminder: ReminderContent | undefined;
    readonly brand: Brand;
  },
): OutgoingMail {
  const { buyer, seller } = invoice;
  const { to, from, files, reminder, brand } = parts;
  return {
    id: mail._id,
    from: { name: brand.name || from.name, address: from.address },
    to: { name: buyer?.companyName || buyer?.name || '', address: to },
    replyTo: seller && isEmailAddress(seller.email) ? seller.email : from.address,
    ...composeInvoiceMail(invoice, reminder, brand),
    attachments: [...files, ...logoPart(brand)],
    date: mail.createdAt,
  };
}
