import { compileValidator } from './validator';
import { customerInput } from '../schemas/customer';
import { boundViolations } from './bound-body';
import { checkBody } from './check-body';

const parse = (text: string): unknown => JSON.parse(text);
const paths = (body: unknown): string[] => boundViolations(body).map(({ path }) => path);

test('an honest body passes, odd characters and all', () => {
  expect(
    boundViolations({ name: 'Žofie 𝄞 "<script>" O\'Neill', lines: [{ description: 'two\nlines\tand a tab' }] }),
  ).toEqual([]);
  expect(boundViolations(null)).toEqual([]);
});

test('names that mean something to a language or a database are refused wherever they are', () => {
  expect(paths(parse('{"__proto__":1,"a":[{"constructor":1},{"$gt":""}],"b":{"prototype":1}}'))).toEqual([
    '/__proto__',
    '/a/0/constructor',
    '/a/1/$gt',
    '/b/prototype',
  ]);
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

test('text that cannot be kept as it came is refused', () => {
  expect(paths({ a: 'x\u0000', b: '\ud800x', c: '__proto__', d: '\u007f', 'e/~': '\u001b' })).toEqual([
    '/a',
    '/b',
    '/c',
    '/d',
    '/e~1~0',
  ]);
});

test('depth and width are bounded, quickly', () => {
  const deep = parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  expect(boundViolations(deep)).toEqual([expect.objectContaining({ message: expect.stringContaining('deeper') })]);
  const startedAt = performance.now();
  const wide = parse(`[${'1,'.repeat(500_000)}1]`);
  expect(boundViolations(wide)).toEqual([expect.objectContaining({ path: '' })]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('bounds and schema are told together, each place once', () => {
  const body = parse('{"city":"a\\u0000","$where":1,"extra":2,"email":5}');
  let told: unknown;
  try {
    checkBody(body, undefined, compileValidator(customerInput));
  } catch (error) {
    told = (error as { details: { path: string }[] }).details.map(({ path }) => path).sort();
  }
  expect(told).toEqual(['/$where', '/city', '/email', '/extra', '/name']);
});
