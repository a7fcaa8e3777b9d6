import { allValid, everyValid, faultless, refused, requireValid, valid, validUnless } from './checked';

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

test('a check that leaves the saying to another refuses all the same', () => {
  expect(allValid({ a: refused(), b: refused(violation('/b')) })).toEqual({ violations: [violation('/b')] });
  expect(everyValid([valid(1), refused()])).toEqual({ violations: [] });
  expect(everyValid([valid(1), valid(2)])).toEqual({ value: [1, 2] });
});

test('a value without a fault is valid', () => {
  expect(faultless(1, '/a', undefined)).toEqual({ value: 1 });
  expect(faultless(1, '/a', 'is wrong')).toEqual({ violations: [violation('/a')] });
});
