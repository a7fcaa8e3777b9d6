import { AppError } from '@invoicing/errors';
import { afterFailure, outcomeOf } from './mail-outcome';
import { MailFailure } from './mail-transport';

const createdAt = new Date('2026-03-01T10:00:00Z');
const now = new Date('2026-03-01T10:00:40Z');
const after = (error: unknown, isClosing = false) =>
  afterFailure({ attempts: 1, createdAt }, error, { isClosing, now, random: 0 });
const later = (ms: number) => new Date(now.getTime() + ms);

test('what the mail server refuses for good is over', () => {
  const refused = new MailFailure('recipient_rejected', true);
  expect(after(refused)).toEqual({ code: 'recipient_rejected', counts: true, dueAt: undefined });
});

test('what it refuses for now is tried by its schedule', () => {
  expect(after(new MailFailure('smtp_unavailable', false))).toEqual({
    code: 'smtp_unavailable',
    counts: true,
    dueAt: later(30_000),
  });
});

test('what never reached it uses up no attempt, and is tried soon, more rarely the older it is', () => {
  const unreachable = new AppError('unavailable', 'unavailable', 'billing does not answer');
  expect(after(unreachable)).toEqual({ code: 'smtp_unavailable', counts: false, dueAt: later(10_000) });
  expect(after(new MailFailure('timeout', false), true)).toEqual({
    code: 'timeout',
    counts: false,
    dueAt: later(10_000),
  });
});

test('a full quota waits for the next day', () => {
  expect(after(new MailFailure('mail_quota', false))).toEqual({
    code: 'mail_quota',
    counts: false,
    dueAt: new Date('2026-03-02T00:00:00Z'),
  });
});

test('an invoice that is gone is never mailed', () => {
  const gone = new AppError('absent', 'not_found', 'the invoice does not exist');
  expect(after(gone)).toMatchObject({ code: 'smtp_unavailable', dueAt: undefined });
});

test('callers hear the last error while it is tried again, and none once it is out', () => {
  expect(outcomeOf({ status: 'sent', error: '' })).toEqual({ emailed: true, emailError: '' });
  expect(outcomeOf({ status: 'pending', error: 'timeout' })).toEqual({ emailed: false, emailError: 'timeout' });
});
