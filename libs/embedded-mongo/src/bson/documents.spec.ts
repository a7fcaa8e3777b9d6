import fc from 'fast-check';
import { BSONRegExp, BSONSymbol, Code, deserialize, Double, serialize } from 'bson';
import { values } from '../testing/arbitrary-values';
import { readCommand, readDocument } from './read-document';
import { type Doc } from './value';
import { writeDocument } from './write-document';

describe('readDocument', () => {
  it('reads back, byte for byte, what bson writes', () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = Buffer.from(serialize({ _id: 1, value }));
        expect(writeDocument(readDocument(bytes))).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the width of numbers', () => {
    const doc = { int: 1, long: 1n, double: new Double(1), half: 0.5, zero: new Double(-0), big: 3e9 };
    const wide = deserialize(writeDocument(readDocument(Buffer.from(serialize(doc)))), { promoteValues: false });
    const kinds = Object.values(wide).map((value) => (value as { _bsontype: string })._bsontype);
    expect(kinds).toEqual(['Int32', 'Long', 'Double', 'Double', 'Double', 'Double']);
  });

  it('reads the rare types', () => {
    const doc = {
      regex: new BSONRegExp('a.b', 'i'),
      code: new Code('f()'),
      scoped: new Code('f()', { x: 1 }),
      symbol: new BSONSymbol('s'),
    };
    const bytes = Buffer.from(serialize(doc));
    expect(writeDocument(readDocument(bytes))).toEqual(bytes);
  });

  it('does not let a field named __proto__ reach the prototype', () => {
    const bytes = Buffer.from(serialize(JSON.parse('{ "__proto__": { "polluted": true } }') as Doc));
    const doc = readDocument(bytes);
    expect((doc as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(doc)).toEqual(['__proto__']);
    expect(writeDocument(doc)).toEqual(bytes);
  });

  it('refuses damaged bytes instead of reading past them', () => {
    fc.assert(
      fc.property(values, fc.nat(), fc.nat(255), (value, position, byte) => {
        const bytes = Buffer.from(serialize({ value }));
        bytes[position % bytes.length] = byte;
        try {
          readDocument(bytes);
        } catch (error) {
          expect((error as Error).name).toMatch(/^(CommandError|RangeError)$/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves the documents of an insert encoded', () => {
    const documents = [{ _id: 1 }, { _id: 2, a: [1] }];
    const { body, documents: raw } = readCommand(Buffer.from(serialize({ insert: 'c', documents, ordered: true })));
    expect(body).toEqual({ insert: 'c', ordered: true });
    expect(raw!.map((bytes) => readDocument(bytes))).toEqual(documents);
  });
});
