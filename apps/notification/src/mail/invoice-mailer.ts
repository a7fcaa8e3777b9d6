import { setTimeout } from 'node:timers/promises';
import { AppError } from '@invoicing/errors';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { isEmailAddress } from '@invoicing/rules';
import type { Logger } from '@invoicing/telemetry';
import { composeInvoiceMail } from './compose-invoice-mail';
import type { InvoiceRef, InvoiceSource } from '../billing-client';
import { nextMailAttempt } from './mail-schedule';
import { nextQuotaDay, type MailQuota } from './mail-quota';
import { mailIdOf, type MailDocument, type MailRef, type MailStore } from './mail-store';
import { MailFailure, type MailTransport } from './mail-transport';

export interface InvoiceMailPorts {
  readonly mails: MailStore;
  readonly invoices: InvoiceSource;
  readonly transport: MailTransport;
  /** Of test organisations. */
  readonly testTransport: MailTransport;
  readonly quota: MailQuota;
  readonly from: { readonly name: string; readonly address: string };
  readonly log: Logger;
}

export interface MailOutcome {
  readonly emailed: boolean;
  readonly emailError: string;
}

/** No attempt takes longer. */
const ATTEMPT_MS = 60_000;
// Short, and renewed while the attempt runs: when this process dies, another goes on within seconds.
const LEASE_MS = 3_000;
const RENEW_MS = 1_000;
const BILLING_CALL_MS = 10_000;
// The event of an issued invoice usually meets the message that billing's own call has sent already: give that call time.
const GRACE_MS = 1_000;
const LOOK_AGAIN_MS = 50;
const CLOSE_MS = 3_000;

export type InvoiceMailer = ReturnType<typeof invoiceMailer>;

/** E-mails invoices: at most one attempt at a time for each, none after one that succeeded. */
export function invoiceMailer({ mails, invoices, transport, testTransport, quota, from, log }: InvoiceMailPorts) {
  const running = new Set<Promise<MailOutcome>>();
  const closing = new AbortController();

  return {
    /** Notes that an invoice is to be mailed; the worker sends it unless `sendNow` comes first. */
    request: async (of: InvoiceRef): Promise<void> => {
      await mails.ensure(of, new Date(Date.now() + GRACE_MS));
    },

    /** Sends unless that has happened, and answers how it went so far, after `waitMs` at the latest. Throws `absent`. */
    sendNow: async (of: InvoiceRef, waitMs: number): Promise<MailOutcome> => {
      const until = Date.now() + waitMs;
      const known = await mails.find({ organizationId: of.organizationId, _id: mailIdOf(of.invoiceId) });
      if (known && known.status !== 'pending') return outcomeOf(known);
      const invoice = await invoices.get(of, waitMs);
      const mail = await mails.ensure(of, new Date(Date.now() + GRACE_MS));
      const claimed = await mails.claim(mail, LEASE_MS);
      // Another process is at it: its outcome is in the store.
      if (!claimed) return storedOutcome(mail, until);
      return Promise.race([track(attempt(claimed, invoice)), afterwards(until - Date.now(), TOO_LATE)]);
    },

    /** One round of the background worker: tries what is due, a few at once. Answers whether more may be due. */
    sendDue: async (limit: number): Promise<boolean> => {
      const due = await mails.due(limit);
      await Promise.all(
        due.map(async (mail) => {
          const claimed = await mails.claim(mail, LEASE_MS);
          if (claimed) await track(attempt(claimed));
        }),
      );
      return due.length === limit;
    },

    /** Gives the attempts that are running a little time, then ends them: they are made again after the next start. */
    close: async (): Promise<void> => {
      const timer = globalThis.setTimeout(() => closing.abort(), CLOSE_MS);
      await Promise.allSettled(running);
      clearTimeout(timer);
    },
  };

  function track(work: Promise<MailOutcome>): Promise<MailOutcome> {
    const tracked = work
      .catch((error: unknown): MailOutcome => {
        // The lease runs out and the message is tried again: the same Message-ID, and the same file in the mailbox.
        log.error({ error }, 'the outcome of a mail attempt was not stored');
        return TOO_LATE;
      })
      .finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  }

  async function attempt(mail: MailDocument, known?: Invoice): Promise<MailOutcome> {
    const lease = keepLease(mail);
    try {
      await send(mail, AbortSignal.any([closing.signal, lease.over]), known);
    } catch (error) {
      const failure = failureOf(error);
      // Nothing reached the mail server: that does not use up one of its attempts.
      const isOver = failure.code === 'mail_quota';
      const isOurs = !(error instanceof MailFailure) || isOver || closing.signal.aborted;
      const now = new Date();
      const dueAt = isOver
        ? nextQuotaDay(now, Math.random())
        : isOurs
          ? soon(mail.createdAt, now)
          : nextMailAttempt(mail.attempts, now, Math.random());
      log.warn({ mailId: mail._id, code: failure.code, attempts: mail.attempts, dueAt, error }, 'mail not sent');
      if (failure.permanent) await mails.markFailed(mail, failure.code, undefined);
      else if (isOurs) await mails.postpone(mail, failure.code, dueAt!);
      else await mails.markFailed(mail, failure.code, dueAt);
      return { emailed: false, emailError: failure.code };
    } finally {
      lease.stop();
    }
    await mails.markSent(mail);
    log.info({ mailId: mail._id, invoiceId: mail.invoiceId, attempts: mail.attempts }, 'mail sent');
    return { emailed: true, emailError: '' };
  }

  /** Renews the attempt's lease; `over` aborts when somebody else has taken the message, or the attempt takes too long. */
  function keepLease(mail: MailDocument): { over: AbortSignal; stop: () => void } {
    const over = new AbortController();
    // Not AbortSignal.timeout: joined by AbortSignal.any, Node 20 may collect it as garbage, and then it never fires.
    const limit = globalThis.setTimeout(() => over.abort(), ATTEMPT_MS);
    const timer = setInterval(() => {
      mails.renew(mail, LEASE_MS).then(
        (isHeld) => (isHeld ? undefined : over.abort()),
        // The store is away: the lease may run out, and then the next renewal says so.
        (error: unknown) => log.warn({ mailId: mail._id, error }, 'lease of a mail not renewed'),
      );
    }, RENEW_MS);
    const stop = (): void => {
      clearInterval(timer);
      clearTimeout(limit);
    };
    return { over: over.signal, stop };
  }

  async function send(mail: MailDocument, signal: AbortSignal, known?: Invoice): Promise<void> {
    const invoice = known ?? (await invoices.get(mail, BILLING_CALL_MS));
    const { to, seller } = { to: invoice.buyer?.email ?? '', seller: invoice.seller };
    if (!isEmailAddress(to)) {
      await mails.describe(mail, { to, subject: '', attachments: [] });
      throw new MailFailure(to === '' ? 'no_recipient' : 'recipient_rejected', true);
    }
    // Written at once: a message that is tried again takes no second place.
    if (!mail.quotaDay) await mails.describe(mail, { to, quotaDay: await quota(mail, new Date()) });
    const [pdf, ubl] = await Promise.all([
      invoices.pdf(mail, BILLING_CALL_MS),
      invoice.hasEInvoice ? invoices.ubl(mail, BILLING_CALL_MS) : undefined,
    ]);
    const attachments = ubl ? [pdf, ubl] : [pdf];
    const { subject, html, text } = composeInvoiceMail(invoice);
    await mails.describe(mail, { to, subject, attachments: attachments.map(({ filename }) => filename) });
    const replyTo = seller && isEmailAddress(seller.email) ? seller.email : undefined;
    await (invoice.test ? testTransport : transport).send(
      {
        id: mail._id,
        from: { name: seller?.name || from.name, address: from.address },
        to: { name: invoice.buyer?.companyName || invoice.buyer?.name || '', address: to },
        replyTo,
        subject,
        html,
        text,
        attachments,
        date: mail.createdAt,
      },
      signal,
    );
  }

  async function storedOutcome(of: MailRef, until: number): Promise<MailOutcome> {
    for (;;) {
      const mail = await mails.find(of);
      if (mail && (mail.status !== 'pending' || mail.error !== '')) return outcomeOf(mail);
      if (Date.now() + LOOK_AGAIN_MS > until) return TOO_LATE;
      await afterwards(LOOK_AGAIN_MS, undefined);
    }
  }
}

const TOO_LATE: MailOutcome = { emailed: false, emailError: 'timeout' };

const afterwards = <T>(delayMs: number, value: T): Promise<T> =>
  setTimeout(Math.max(0, delayMs), value, { ref: false });

const outcomeOf = ({ status, error }: MailDocument): MailOutcome => ({ emailed: status === 'sent', emailError: error });

/** Billing or the store is away: again after a second, and more rarely the longer it lasts. */
const soon = (createdAt: Date, now: Date): Date => {
  const ageMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 4, 1_000), 300_000));
};

/** Billing away, or a fault of ours: tried again, and told as what the caller can do nothing about. */
function failureOf(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  const gone = error instanceof AppError && error.kind === 'absent';
  return new MailFailure('smtp_unavailable', gone, { cause: error });
}
