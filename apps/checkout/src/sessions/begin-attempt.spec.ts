import { sampleSession, after } from '../testing/sample-session';
import { ATTEMPT_LIMIT, attemptAbandoned, attemptCreated, beginAttempt } from './begin-attempt';
import { type Language, type Session } from './session';

const request = (form: string, method = 'ideal', language: Language = 'nl') => ({
  id: form,
  accountId: 'account',
  provider: 'sandbox',
  method,
  payer: { name: 'Anna', email: `${form}@example.com` },
  language,
});

function begin(session: Session, form: string, method?: string, language?: Language): Session {
  const begun = beginAttempt(session, request(form, method, language), after(0));
  if (begun.kind !== 'proceed') throw new Error(begun.reason);
  return begun.session;
}

test('the same method again goes on with the payment that is open, with details and language that were sent last', () => {
  const created = { paymentId: 'p', payUrl: 'https://bank' };
  const first = attemptCreated(begin(sampleSession(), 'a'), 'a', created, after(0));
  expect(first.attempts[0]).toMatchObject({ language: 'nl' });
  const second = begin(first, 'b', 'ideal', 'en');
  expect(second.attempts).toHaveLength(1);
  expect(second.attempts[0]).toMatchObject({
    id: 'a',
    payUrl: 'https://bank',
    payer: { email: 'b@example.com' },
    language: 'en',
  });
  expect(begin(second, 'c', 'bancontact').attempts).toHaveLength(2);
});

test('a form that is sent again after its payment failed starts anew, under a name of its own', () => {
  const failed = attemptAbandoned(begin(sampleSession(), 'a'), 'a');
  expect(begin(failed, 'a').attempts.map(({ id, status }) => [id, status])).toEqual([
    ['a', 'failed'],
    ['a-1', 'starting'],
  ]);
});

test('a session takes a bounded number of attempts', () => {
  let session = sampleSession();
  for (let count = 0; count < ATTEMPT_LIMIT; count++)
    session = attemptAbandoned(begin(session, `form-${count}`), `form-${count}`);
  expect(beginAttempt(session, request('one-more'), after(0))).toEqual({ kind: 'refused', reason: 'too_many' });
});
