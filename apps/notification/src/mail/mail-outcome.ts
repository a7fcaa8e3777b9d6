import { AppError } from '@invoicing/errors';
import { nextQuotaDay } from './mail-quota';
import { nextMailAttempt } from './mail-schedule';
import type { MailDocument } from './mail-store';
import { MailFailure, type MailErrorCode } from './mail-transport';

/** How a message has fared so far, as callers see it. */
export interface MailOutcome {
  readonly emailed: boolean;
  /** Empty when it was e-mailed. */
  readonly emailError: MailErrorCode | '';
}

/** Nothing is known within the time that there was. */
export const TOO_LATE: MailOutcome = { emailed: false, emailError: 'timeout' };

/** What the store says of a message. */
export const outcomeOf = ({ status, error }: Pick<MailDocument, 'status' | 'error'>): MailOutcome => ({
  emailed: status === 'sent',
  emailError: error,
});

/** What follows from an attempt that failed. */
export interface AfterFailure {
  readonly code: MailErrorCode;
  /** Whether it uses up one of the message's attempts. */
  readonly counts: boolean;
  /** When to try again; undefined: never. */
  readonly dueAt: Date | undefined;
}

/** What follows from a failed attempt at a message; `isClosing`: this process ended it. `random` in [0, 1) spreads the next ones. */
export function afterFailure(
  mail: Pick<MailDocument, 'attempts' | 'createdAt'>,
  error: unknown,
  { isClosing, now, random = Math.random() }: { isClosing: boolean; now: Date; random?: number },
): AfterFailure {
  const { code, permanent } = failureOf(error);
  if (permanent) return { code, counts: true, dueAt: undefined };
  if (code === 'mail_quota') return { code, counts: false, dueAt: nextQuotaDay(now, random) };
  // Nothing reached the mail server: that does not use up one of its attempts.
  if (!(error instanceof MailFailure) || isClosing) return { code, counts: false, dueAt: soon(mail.createdAt, now) };
  return { code, counts: true, dueAt: nextMailAttempt(mail.attempts, now, random) };
}

/** Billing does not answer, or a fault of ours: tried again, and shown as what the caller can do nothing about. */
function failureOf(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  const isGone = error instanceof AppError && error.kind === 'absent';
  return new MailFailure('smtp_unavailable', isGone, { cause: error });
}

/** Billing or the store does not answer: again after a second, and more rarely the longer it lasts. */
const soon = (createdAt: Date, now: Date): Date => {
  const ageMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 4, 1_000), 300_000));
};
