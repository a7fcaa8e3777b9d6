import fc from 'fast-check';
import { collated, Collation, parseCollation } from './collation';
import { compareValues } from './compare';
import { groupKey, valueKey } from './value-key';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('a', 'A', 'á', 'Á', 'b', 'e', 'é', 'É', '10', '9', ''),
);

describe('collation', () => {
  it.each([1, 2, 3])('labels of strength %i sort as the texts do, however they come', (strength) => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 60 }), (all) => {
        const collation = new Collation({ locale: 'en', strength });
        for (const text of all) collation.label(text);
        for (const a of all)
          for (const b of all) {
            const [x, y] = [collation.label(a), collation.label(b)];
            expect(x < y ? -1 : x > y ? 1 : 0).toBe(Math.sign(collation.compare(a, b)));
          }
      }),
      { numRuns: 60 },
    );
  });

  it('labels stay apart when every text falls between the same two', () => {
    const collation = new Collation({ locale: 'en' });
    const found = ['a', 'b'].map((text) => collation.label(text));
    for (let n = 1; n <= 300; n++) found.push(collation.label(`a${'a'.repeat(n)}`));
    expect(new Set(found).size).toBe(302);
    expect(found.slice(2).every((label, i, all) => i === 0 || all[i - 1]! < label)).toBe(true);
    expect(found.slice(2).every((label) => found[0]! < label && label < found[1]!)).toBe(true);
  });

  it('rules comparisons and groups while it is active, and never the keys of an index', () => {
    const collation = parseCollation({ locale: 'en', strength: 2 });
    collated(collation, () => {
      expect(compareValues('Ping', 'ping')).toBe(0);
      expect(compareValues({ a: ['Ping'] }, { a: ['ping'] })).toBe(0);
      expect(groupKey('Ping')).toBe(groupKey('ping'));
      expect(valueKey('Ping')).not.toEqual(valueKey('ping'));
    });
    expect(compareValues('Ping', 'ping')).not.toBe(0);
  });

  it('reads the options of MongoDB, and refuses those that would have to be disregarded', () => {
    const order = (spec: Record<string, unknown>, a: string, b: string): number =>
      Math.sign(new Collation(spec as never).compare(a, b));
    expect(order({ locale: 'en', strength: 1 }, 'é', 'E')).toBe(0);
    expect(order({ locale: 'en', strength: 1, caseLevel: true }, 'é', 'E')).not.toBe(0);
    expect(order({ locale: 'en', numericOrdering: true }, '10', '9')).toBe(1);
    expect(order({ locale: 'en_US', strength: 2 }, 'a', 'A')).toBe(0);
    expect(parseCollation({ locale: 'simple' })).toBeUndefined();
    for (const refused of [{ strength: 4 }, { backwards: true }, { maxVariable: 'space' }])
      expect(() => new Collation({ locale: 'en', ...refused })).toThrow('not supported');
    expect(() => new Collation({ locale: 'xx-nothing' })).toThrow("Field 'locale' is invalid");
  });
});
