import { backoffMs } from '@invoicing/concurrency';
import { AppError } from '@invoicing/errors';
import type { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { newCallContext, type RpcClient } from '@invoicing/rpc';
import type { Logger } from '@invoicing/telemetry';
import type { InvoiceRef, InvoiceSource } from '../billing-client';
import type { MailAttachment } from '../mail/mail-transport';
import { LetterRejected, type LetterCarrier } from './letter-carrier';
import type { LetterDocument, LetterError, LetterStore } from './letter-store';

export interface LetterPorts {
  readonly letters: LetterStore;
  readonly invoices: InvoiceSource;
  readonly credits: Pick<RpcClient<typeof CreditsService>, 'reserveCredit' | 'consumeCredit' | 'releaseCredit'>;
  readonly carrier: LetterCarrier;
  /** Of test organisations: it never posts anything. */
  readonly testCarrier: LetterCarrier;
  readonly log: Logger;
}

const CALL_MS = 10_000;
const LEASE_MS = 180_000;
const RETRY = { firstMs: 30_000, longestMs: 3_600_000 };
/** With waits of up to an hour: about five days. */
const ATTEMPTS = 120;

export type LetterSender = ReturnType<typeof letterSender>;

/**
 * Posts invoices, and reminders of them, as letters: a credit is set aside, the letter handed to the carrier, and the credit used once it is on its way, or
 * given back. Each step can be taken again: everything goes by the letter's id.
 */
export function letterSender({ letters, invoices, credits, carrier, testCarrier, log }: LetterPorts) {
  const carrierOf = (test: boolean | undefined): LetterCarrier => (test ? testCarrier : carrier);
  return {
    request: (of: InvoiceRef): Promise<void> => letters.ensure(of),

    /** Takes the next step of one letter that is due. Answers whether there was one. */
    workDue: async (): Promise<boolean> => {
      const letter = await letters.claimDue(LEASE_MS);
      if (!letter) return false;
      try {
        await (letter.status === 'pending' ? submit(letter) : follow(letter));
      } catch (error) {
        await failed(letter, error);
      }
      return true;
    },
  };

  /** In the time of its organisation. */
  function after({ organizationId }: LetterDocument, ms: number): Date {
    return new Date(letters.now(organizationId).getTime() + ms);
  }

  async function submit(letter: LetterDocument): Promise<void> {
    const invoice = await invoices.get(letter, CALL_MS);
    if (!hasAddress(invoice)) return letters.finish(letter, 'no_address');
    const paper = await paperOf(invoices, letter);
    if (!paper) return giveUp(letter, 'withdrawn');
    await credits.reserveCredit(reservation(letter), newCallContext(CALL_MS));
    const { content, filename } = paper;
    const { _id: id, createdAt } = letter;
    const { submit: hand, pollMs } = carrierOf(invoice.test);
    const carrierId = await hand({ id, pdf: content, fileName: filename, createdAt });
    await letters.markSubmitted(letter, { carrierId, test: invoice.test }, after(letter, pollMs));
    log.info({ letterId: id, invoiceId: letter.invoiceId }, 'letter handed over');
  }

  async function follow(letter: LetterDocument): Promise<void> {
    const { progress: ask, pollMs } = carrierOf(letter.test);
    const progress = await ask(letter.carrierId!);
    if (progress === 'underway') return letters.postpone(letter, 0, after(letter, pollMs));
    if (progress === 'rejected') throw new LetterRejected('the carrier will not post it');
    await credits.consumeCredit(reservation(letter), newCallContext(CALL_MS));
    await letters.finish(letter, '');
    log.info({ letterId: letter._id, invoiceId: letter.invoiceId }, 'letter sent');
  }

  async function failed(letter: LetterDocument, error: unknown): Promise<void> {
    const noCredits = error instanceof AppError && error.kind === 'blocked';
    const isGone = error instanceof AppError && error.kind === 'absent';
    const attempts = letter.attempts + 1;
    log.warn({ letterId: letter._id, attempts, error }, 'letter not posted');
    if (noCredits) return letters.finish(letter, 'no_credits');
    // A letter that the carrier has may be sent at any time: it is followed until the carrier says so, or says that it never will be.
    const isOver = letter.status === 'pending' && (isGone || attempts >= ATTEMPTS);
    if (error instanceof LetterRejected || isOver) return giveUp(letter, 'rejected');
    await letters.postpone(letter, attempts, after(letter, backoffMs(RETRY, attempts)));
  }

  /** The credit is free again before the letter is marked: a crash in between repeats both. */
  async function giveUp(letter: LetterDocument, why: LetterError): Promise<void> {
    try {
      await credits.releaseCredit(reservation(letter), newCallContext(CALL_MS));
    } catch (error) {
      const wasNeverReserved = error instanceof AppError && error.kind === 'absent';
      if (!wasNeverReserved) throw error;
    }
    await letters.finish(letter, why);
  }
}

/** Asked for each attempt: what a reminder says, or undefined when there is nothing to remind of any more. */
async function paperOf(
  invoices: InvoiceSource,
  { reminderId, organizationId, invoiceId }: LetterDocument,
): Promise<MailAttachment | undefined> {
  if (reminderId === undefined) return invoices.pdf({ organizationId, invoiceId }, CALL_MS);
  return invoices.reminderLetter({ organizationId, reminderId }, CALL_MS);
}

const reservation = ({ organizationId, _id: letterId }: LetterDocument) => ({ organizationId, letterId });

const hasAddress = ({ buyer }: Invoice): boolean =>
  Boolean(buyer?.addressLine1 && buyer.postalCode && buyer.city && (buyer.name || buyer.companyName));
