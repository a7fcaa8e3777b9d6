import { shownError } from './shown-error';

test('addresses and credentials that a cause carries do not reach the log', () => {
  const refusal = Object.assign(new Error('550 5.1.1 <jan.jansen@example.com>: no such user'), {
    code: 'EENVELOPE',
    rejected: ['jan.jansen@example.com'],
    response: '550 jan.jansen@example.com',
  });
  const broker = new Error('cannot reach nats://user:p@ss@broker:4222', { cause: refusal });
  const line = JSON.stringify(shownError(new Error('mail not sent', { cause: broker })));
  expect(line).not.toMatch(/jansen|p@ss|user:/);
  expect(line).toContain('"code":"EENVELOPE"');
  expect(line).toContain('nats://***@broker:4222');
  expect(line).toContain('550 5.1.1');
});

test('a chain of causes ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(JSON.stringify(shownError(error)).length).toBeLessThan(50_000);
});
