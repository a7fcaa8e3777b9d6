import fc from 'fast-check';
import { values } from '../testing/arbitrary-values';
import { keyDocument } from './key-document';
import { keyCodes } from './key-reader';
import { KeyWriter } from './value-key';
import { type Doc, type Value } from './value';
import { writeDocument } from './write-document';

const plain = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', 'a\0b\0', '\x01\0\xff', '€'),
  fc.date({ noInvalidDate: true }),
  fc.boolean(),
);
const field = (value: fc.Arbitrary<Value>) => fc.record({ value, descending: fc.boolean(), isWanted: fc.boolean() });
type Field = { value: Value; descending: boolean; isWanted: boolean };

/** What is made of the key of these, after some bytes and before others that are not of it. */
function made(fields: readonly Field[]): Buffer | undefined {
  const writer = new KeyWriter();
  for (const { value, descending } of fields) writer.writeField(value, descending);
  const key = writer.take();
  const stored = Buffer.concat([Buffer.from('before'), key, Buffer.from('after')]);
  const named = fields.map(({ descending, isWanted }, i) => ({
    name: isWanted ? Buffer.from(`f${i}\0`) : undefined,
    descending,
  }));
  return keyDocument(stored, 6, 6 + key.length, named, keyCodes(fields.map(({ value }) => value)));
}

const wanted = (fields: readonly Field[]): Doc =>
  Object.fromEntries(fields.flatMap(({ value, isWanted }, i) => (isWanted ? [[`f${i}`, value]] : [])));

it('the document of a key of text, dates and truth values is the one that was stored', () => {
  fc.assert(
    fc.property(fc.array(field(plain), { minLength: 1, maxLength: 5 }), (fields) => {
      expect(made(fields)).toEqual(writeDocument(wanted(fields)));
    }),
    { numRuns: 2000 },
  );
});

it('of any other key it is that, or none', () => {
  fc.assert(
    fc.property(fc.array(field(fc.oneof(values, plain)), { minLength: 1, maxLength: 4 }), (fields) => {
      const document = made(fields);
      if (document) expect(document).toEqual(writeDocument(wanted(fields)));
    }),
    { numRuns: 3000 },
  );
});

it('a key of long names and texts is no longer than what is written to', () => {
  const name = Buffer.from(`${'n'.repeat(20_000)}\0`);
  const writer = new KeyWriter().writeField('x'.repeat(1_900), true);
  const key = writer.take();
  const document = keyDocument(key, 0, key.length, [{ name, descending: true }], keyCodes(['x']));
  expect(document).toEqual(writeDocument({ ['n'.repeat(20_000)]: 'x'.repeat(1_900) }));
});
