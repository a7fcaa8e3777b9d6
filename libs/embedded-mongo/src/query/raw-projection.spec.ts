import fc from 'fast-check';
import { serialize } from 'bson';
import { readDocument } from '../bson/read-document';
import { type Doc, type Value } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { values } from '../testing/arbitrary-values';
import { compileProjection } from './projection';
import { parseProjection } from './projection-tree';
import { rawProjection } from './raw-projection';

const names = fc.constantFrom('a', 'b', 'c', 'é', 'long name');
const nested: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    values as fc.Arbitrary<Value>,
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Value>,
    fc.array(tie('value'), { maxLength: 4 }) as fc.Arbitrary<Value>,
  ),
})).value;
const documents = fc.dictionary(names, nested, { maxKeys: 5, noNullPrototype: true });
const paths = fc.uniqueArray(fc.array(names, { minLength: 1, maxLength: 3 }), {
  maxLength: 4,
  minLength: 1,
  comparator: (a, b) => a[0] === b[0],
});

describe('rawProjection', () => {
  it('copies what projecting the decoded document gives, byte for byte', () => {
    fc.assert(
      fc.property(documents, paths, fc.constantFrom(0, 1), fc.boolean(), (fields, chosen, keep, id) => {
        const bytes = Buffer.from(serialize({ _id: 7, ...fields }));
        const spec: Doc = {
          ...(id && { _id: 0 }),
          ...Object.fromEntries(chosen.map((path) => [path.join('.'), keep])),
        };
        const raw = rawProjection(parseProjection(spec, 'find'))!;
        const projected = writeDocument(compileProjection(spec, 'find')(readDocument(bytes)));
        expect(raw(bytes)).toEqual(projected);
      }),
      { numRuns: 3000 },
    );
  });

  it.each<Doc>([{ a: { $slice: 1 } }, { 'a.$': 1 }, { x: '$a' }, { a: { $elemMatch: { b: 1 } } }])(
    'leaves %j to the projection of decoded documents',
    (spec) => {
      expect(rawProjection(parseProjection(spec, 'find'))).toBeUndefined();
    },
  );
});
