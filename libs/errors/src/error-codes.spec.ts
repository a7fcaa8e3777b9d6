import { AppError } from './app-error';
import { httpStatusOfCode, isErrorCode, meaningOfCode, publicErrorCodes } from './error-codes';

test('what integrators see has the status that the API document says', () => {
  expect(Object.fromEntries(publicErrorCodes.map((code) => [code, httpStatusOfCode(code)]))).toEqual({
    validation: 400,
    unauthorized: 401,
    plan_limit_api: 402,
    billing_readonly: 402,
    forbidden: 403,
    test_only: 403,
    not_found: 404,
    method_not_allowed: 405,
    idempotency_conflict: 409,
    idempotency_in_flight: 409,
    payload_too_large: 413,
    unsupported_media_type: 415,
    rate_limited: 429,
    generic: 500,
    unavailable: 501,
  });
});

test('what went wrong inside stays inside', () => {
  const inner = new AppError('internal', 'series_broken', 'series p1/invoice/2026 has 6 of 7 numbers');
  expect(inner.message).toContain('p1/invoice');
  expect(inner.publicMessage).toBe(meaningOfCode('series_broken'));
  const told = new AppError('blocked', 'no_credits', 'there are no mail credits left');
  expect(told.publicMessage).toBe('there are no mail credits left');
});

test('a code of another version is generic, of its kind', () => {
  expect(isErrorCode('toString')).toBe(false);
  expect(AppError.received('blocked', 'new_in_v9', 'not today', {})).toMatchObject({
    kind: 'blocked',
    code: 'generic',
    publicMessage: 'not today',
  });
});
