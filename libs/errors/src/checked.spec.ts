import { allValid, refused, requireValid, valid, validUnless } from './checked';

const violation = (path: string) => ({ path, message: 'is wrong' });

test('all values, or everything that is wrong, in order', () => {
  expect(allValid({ a: valid(1), b: valid('x') })).toEqual({ value: { a: 1, b: 'x' } });
  expect(
    allValid({ a: refused(violation('/a')), b: valid('x'), c: refused(violation('/c'), violation('/d')) }),
  ).toEqual({
    violations: [violation('/a'), violation('/c'), violation('/d')],
  });
});

test('a value is only made when nothing is wrong', () => {
  const make = jest.fn(() => 7);
  expect(validUnless([violation('/a')], make)).toEqual({ violations: [violation('/a')] });
  expect(make).not.toHaveBeenCalled();
  expect(validUnless([], make)).toEqual({ value: 7 });
});

test('what is required is there, or the error says all', () => {
  expect(requireValid(valid(undefined))).toBeUndefined();
  expect(() => requireValid(refused(violation('/a'), violation('/b')))).toThrow(
    expect.objectContaining({ code: 'validation', details: [violation('/a'), violation('/b')] }),
  );
});
