import fc from 'fast-check';
import { values } from '../testing/arbitrary-values';
import { keyCodes, readKey } from './key-reader';
import { KeyWriter } from './value-key';
import { type Doc } from './value';
import { writeDocument } from './write-document';

it('a key is read back as what was stored, or not at all', () => {
  let readBack = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(values, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 4 }), (fields) => {
      const writer = new KeyWriter();
      for (const [value, descending] of fields) writer.writeField(value, descending);
      const wanted = fields.map(([, , asked]) => asked);
      const codes = keyCodes(fields.map(([value]) => value));
      const read = readKey(writer.take(), fields.map(([, descending]) => descending), wanted, codes); // prettier-ignore
      if (!read) return;
      readBack++;
      const only = (of: (i: number) => unknown): Doc =>
        Object.fromEntries(wanted.flatMap((asked, i) => (asked ? [[String(i), of(i)]] : []))) as Doc;
      expect(writeDocument(only((i) => read[i]))).toEqual(writeDocument(only((i) => fields[i]![0])));
    }),
    { numRuns: 3000 },
  );
  expect(readBack).toBeGreaterThan(1000);
});
