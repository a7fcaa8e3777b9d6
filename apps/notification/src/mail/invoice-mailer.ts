import { setTimeout } from 'node:timers/promises';
import { TaskPool } from '@invoicing/concurrency';
import { validationError } from '@invoicing/errors';
import { isEmailAddress, type Actor, type TestScenario } from '@invoicing/rules';
import type { InvoiceRef } from '../billing-client';
import { attemptMail, isAbsent, LEASE_MS } from './attempt-mail';
import { outcomeOf, TOO_LATE, type MailOutcome } from './mail-outcome';
import type { InvoiceMailPorts } from './mail-ports';
import { mailIdOf, type MailDocument, type MailKind, type MailRef, type MailStore } from './mail-store';

// The event of an issued invoice usually meets the message that billing's own call has sent already: give that call time.
const GRACE_MS = 1_000;
const LOOK_AGAIN_MS = 50;
const CLOSE_MS = 3_000;

/** A wish to send an invoice again; `id` names the message. */
export interface AskedAgain {
  readonly id: string;
  readonly to: string | undefined;
  readonly by: Actor;
}

/** E-mails invoices: at most one attempt at a time for each, none after one that succeeded. */
export interface InvoiceMailer {
  /** Notes that an invoice is to be mailed; the worker sends it unless `sendNow` comes first. False when that is noted already. */
  readonly request: (of: InvoiceRef, testScenario?: TestScenario) => Promise<boolean>;
  /** Sends unless that has happened, and answers how it went so far, after `waitMs` at the latest. Throws `absent`. */
  readonly sendNow: (of: InvoiceRef, waitMs: number, testScenario?: TestScenario) => Promise<MailOutcome>;
  /** The same for a reminder of an invoice: one message for each, whose words come from billing at each attempt. */
  readonly remind: (of: InvoiceRef, reminderId: string, waitMs: number) => Promise<MailOutcome>;
  /** The same for a message of its own to whom is named, or the buyer. Throws `absent`, or `validation` when there is no address. */
  readonly resend: (of: InvoiceRef, asked: AskedAgain, waitMs: number) => Promise<MailOutcome>;
  /** One round of the background worker: tries what is due, a few at once. Answers whether anything was. */
  readonly sendDue: (limit: number) => Promise<boolean>;
  /** Gives the attempts that are running a little time, then ends them: they are made again after the next start. */
  readonly close: () => Promise<void>;
}

/** The attempts that are running. */
function runningAttempts(ports: InvoiceMailPorts) {
  const running = new TaskPool();
  const closing = new AbortController();
  return {
    /** An attempt that `close` waits for. It fails only with `absent`, and only to who `isAsking`. */
    attempt: (mail: MailDocument, isAsking = false): Promise<MailOutcome> => {
      const how = { closing: closing.signal, isAsking };
      const attempted = attemptMail(ports, mail, how).catch((error: unknown): MailOutcome => {
        if (isAsking && isAbsent(error)) throw error;
        // The lease runs out and the message is tried again: the same Message-ID, and the same file in the mailbox.
        ports.log.error({ error }, 'the outcome of a mail attempt was not stored');
        return TOO_LATE;
      });
      running.add(attempted.then(nothing, nothing));
      return attempted;
    },

    close: async (): Promise<void> => {
      const timer = globalThis.setTimeout(() => closing.abort(), CLOSE_MS);
      await running.idle();
      clearTimeout(timer);
    },
  };
}

export function invoiceMailer(ports: InvoiceMailPorts): InvoiceMailer {
  const { mails, invoices } = ports;
  const { attempt, close } = runningAttempts(ports);
  // Messages that somebody waits for here, each with its way into the store.
  const waitedFor = new Map<string, Promise<unknown>>();

  const inTime = (attempted: Promise<MailOutcome>, until: number): Promise<MailOutcome> =>
    Promise.race([attempted, afterwards(until - Date.now(), TOO_LATE)]);

  async function tryNow(mail: MailDocument, until: number): Promise<MailOutcome> {
    if (mail.status !== 'pending') return outcomeOf(mail);
    const claimed = await mails.claim(mail, LEASE_MS);
    // Another process is at it: its outcome is in the store.
    return claimed ? inTime(attempt(claimed), until) : storedOutcome(mails, mail, until);
  }

  async function sendFirst(of: InvoiceRef, waitMs: number, as: MailKind): Promise<MailOutcome> {
    const until = Date.now() + waitMs;
    const id = as.reminderId ?? mailIdOf(of.invoiceId);
    const beginning = mails.begin(of, LEASE_MS, as);
    waitedFor.set(id, beginning);
    try {
      const { mail, isTaken } = await beginning;
      return await (isTaken ? inTime(attempt(mail, true), until) : tryNow(mail, until));
    } finally {
      waitedFor.delete(id);
    }
  }

  return {
    request: async (of, testScenario) => {
      const _id = mailIdOf(of.invoiceId);
      // Nearly always: whoever issued waits for it. Once begun, it is as safe as if it were noted here.
      const beginning = waitedFor.get(_id);
      if (beginning) await beginning;
      // On another replica: a look costs less than an insert that is refused.
      const known = beginning ?? (await mails.find({ organizationId: of.organizationId, _id }));
      if (!known) await mails.ensure(of, GRACE_MS, { testScenario });
      return !known;
    },

    sendNow: (of, waitMs, testScenario) => sendFirst(of, waitMs, { testScenario }),
    remind: (of, reminderId, waitMs) => sendFirst(of, waitMs, { reminderId }),

    resend: async (of, { id, to, by }, waitMs) => {
      const until = Date.now() + waitMs;
      const invoice = await invoices.get(of, waitMs);
      const address = to ?? invoice.buyer?.email ?? '';
      if (!isEmailAddress(address)) throw validationError([{ path: '/to', message: 'must be an e-mail address' }]);
      const mail = await mails.resend(of, id, { to: address, by }, invoice.number);
      return tryNow(mail, until);
    },

    sendDue: async (limit) => {
      const due = await mails.due(limit);
      await Promise.all(
        due.map(async (mail) => {
          const claimed = await mails.claim(mail, LEASE_MS);
          if (claimed) await attempt(claimed);
        }),
      );
      return due.length > 0;
    },

    close,
  };
}

/** What becomes of a message that another process is sending, until there is no more time. */
async function storedOutcome(mails: MailStore, of: MailRef, until: number): Promise<MailOutcome> {
  for (;;) {
    const mail = await mails.find(of);
    if (mail && (mail.status !== 'pending' || mail.error !== '')) return outcomeOf(mail);
    if (Date.now() + LOOK_AGAIN_MS > until) return TOO_LATE;
    await afterwards(LOOK_AGAIN_MS, undefined);
  }
}

const nothing = (): void => undefined;

const afterwards = <T>(delayMs: number, value: T): Promise<T> =>
  setTimeout(Math.max(0, delayMs), value, { ref: false });
