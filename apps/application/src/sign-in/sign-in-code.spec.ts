import fc from 'fast-check';
import { codeFrom, readableCode, typedCode } from './sign-in-code';

const random = fc.uint8Array({ minLength: 8, maxLength: 8 });

test('a code survives how people type it', () =>
  fc.assert(
    fc.property(random, fc.constantFrom(' ', '-', '', ' – '), (bytes, between) => {
      const code = codeFrom(bytes);
      const [first, second] = readableCode(code).split('-');
      expect(typedCode(`${first}${between}${second}`.toLowerCase().replace(/0/g, 'o').replace(/1/g, 'l'))).toBe(code);
    }),
  ));

test('each of its eight characters carries five bits of the randomness', () => {
  const all = new Set(Array.from({ length: 256 }, (_, byte) => codeFrom(new Uint8Array(8).fill(byte))));
  expect(all.size).toBe(32);
  for (const code of all) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
});
