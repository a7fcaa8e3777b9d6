import { type IncomingMessage } from 'node:http';
import { EdgeError } from '../edge/edge-error';
import { checkFraming } from './backend-request';

// What Node's parser refuses today, a lenient one might let through.

const check = (method: string, headers: Record<string, string>, httpVersion = '1.1') =>
  checkFraming({ method, headers, httpVersion } as unknown as IncomingMessage);

test.each([
  ['both', 'POST', { 'content-length': '5', 'transfer-encoding': 'chunked' }],
  ['no number', 'POST', { 'content-length': '+5' }],
  ['two numbers', 'POST', { 'content-length': '5, 5' }],
  ['no length at all', 'POST', { 'content-length': '' }],
  ['more than a number holds', 'POST', { 'content-length': '9'.repeat(20) }],
  ['chunked among others', 'POST', { 'transfer-encoding': 'chunked, identity' }],
  ['almost chunked', 'POST', { 'transfer-encoding': 'xchunked' }],
  ['a GET with a body', 'GET', { 'content-length': '1' }],
  ['a HEAD with a body', 'HEAD', { 'transfer-encoding': 'chunked' }],
])('%s is refused, and the connection ends', (_name, method, headers) => {
  const refusal = (): void => check(method, headers as unknown as Record<string, string>);
  expect(refusal).toThrow(EdgeError);
  expect(refusal).toThrow(expect.objectContaining({ status: 400, headers: { connection: 'close' } }));
});

test('what is framed well passes', () => {
  check('POST', { 'content-length': '5' });
  check('POST', { 'transfer-encoding': 'Chunked' });
  check('POST', {});
  check('GET', { 'content-length': '0' });
  check('HEAD', {});
  expect(() => check('POST', { 'transfer-encoding': 'chunked' }, '1.0')).toThrow(EdgeError);
});
