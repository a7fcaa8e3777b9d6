import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Doc, type Value } from './bson/value';
import { writeDocument } from './bson/write-document';
import { CommandError } from './command-error';
import { Engine } from './engine';
import { values } from './testing/arbitrary-values';
import { LocalClient } from './testing/local-client';
import { NaiveCollection } from './testing/naive-collection';

const numRuns = 150 * Number(process.env.SEEDS ?? 1);

const paths = fc.constantFrom('a', 'b', 'a.b', 'a.c', 'c');
const comparisons = fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$ne');
const direction = fc.constantFrom(1, -1);

const operators: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: values },
  { weight: 6, arbitrary: fc.tuple(comparisons, values).map(([operator, value]): Value => ({ [operator]: value })) },
  { weight: 2, arbitrary: fc.tuple(values, values).map(([from, to]): Value => ({ $gte: from, $lt: to })) },
  { weight: 2, arbitrary: fc.array(values, { maxLength: 4 }).map((list): Value => ({ $in: list })) },
  fc.array(values, { maxLength: 3 }).map((list): Value => ({ $nin: list })),
  fc.boolean().map((exists): Value => ({ $exists: exists })),
  fc.nat(2).map((size): Value => ({ $size: size })),
  fc.tuple(comparisons, values).map(([operator, value]): Value => ({ $not: { [operator]: value } })),
  fc.tuple(values, values).map(([from, to]): Value => ({ $elemMatch: { $gte: from, $lte: to } })),
).filter((value) => !JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)).includes('"$elemMatch":{}')); // prettier-ignore

const field: fc.Arbitrary<Doc> = fc.tuple(paths, operators).map(([path, operator]) => ({ [path]: operator }));
const filters: fc.Arbitrary<Doc> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Doc>({}) },
  { weight: 5, arbitrary: field },
  { weight: 3, arbitrary: fc.tuple(field, field).map(([a, b]): Doc => ({ ...a, ...b })) },
  { weight: 1, arbitrary: fc.tuple(field, field).map(([a, b]): Doc => ({ $and: [a, b] })) },
  { weight: 2, arbitrary: fc.tuple(field, field).map(([a, b]): Doc => ({ $or: [a, b] })) },
  { weight: 1, arbitrary: fc.tuple(field, field).map(([a, b]): Doc => ({ ...a, $nor: [b] })) },
);
const sorts: fc.Arbitrary<Doc> = fc.uniqueArray(fc.tuple(paths, direction), { maxLength: 2, selector: ([path]) => path.split('.')[0] }).map((keys) => Object.fromEntries(keys)); // prettier-ignore
const indexKeys: fc.Arbitrary<Doc> = fc.uniqueArray(fc.tuple(paths, direction), { minLength: 1, maxLength: 3, selector: ([path]) => path }).map((keys) => Object.fromEntries(keys)); // prettier-ignore
const indexes = fc.tuple(indexKeys, fc.constantFrom<Doc>({}, {}, { sparse: true }, { partialFilterExpression: { a: { $exists: true } } }, { partialFilterExpression: { b: { $gt: 0 } } })); // prettier-ignore

const documents: fc.Arbitrary<Doc> = fc.record(
  { a: values, b: values, c: values },
  { requiredKeys: [] },
) as fc.Arbitrary<Doc>;

const operations = fc.oneof(
  { weight: 6, arbitrary: fc.record({ insert: documents }) },
  { weight: 6, arbitrary: fc.record({ find: filters, sort: sorts, skip: fc.nat(2), limit: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      set: filters,
      field: fc.constantFrom('a', 'b', 'c'),
      value: fc.option(values, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: filters }) },
);
type Operation = typeof operations extends fc.Arbitrary<infer T> ? T : never;

describe('the store against a naive model', () => {
  let folder: string;
  let engine: Engine;
  let client: LocalClient;
  let run = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    engine = new Engine(folder);
    client = new LocalClient(engine);
  });
  afterAll(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('agrees on random operations, with and without indexes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(indexes, { maxLength: 3 }),
        fc.array(operations, { minLength: 5, maxLength: 25 }),
        check,
      ),
      { numRuns, endOnFailure: false },
    );
  }, 120_000);

  async function check(wanted: [Doc, Doc][], steps: Operation[]): Promise<void> {
    const name = `run${run++}`;
    const model = new NaiveCollection();
    for (const [i, [key, options]] of wanted.entries()) {
      // The same keys again with other options is refused, which is not what is tested here.
      await client.command({ createIndexes: name, indexes: [{ key, name: `index${i}`, ...options }] }).catch(conflict);
    }
    let nextId = 0;
    for (const step of steps) await apply(name, model, step, () => nextId++);
    expect((await client.find(name, {})).map(bytes)).toEqual(model.docs.map(bytes));
    await client.command({ drop: name });
  }

  async function apply(name: string, model: NaiveCollection, step: Operation, nextId: () => number): Promise<void> {
    if ('insert' in step) {
      const doc: Doc = { _id: nextId(), ...step.insert };
      const { writeErrors } = await client.command({ insert: name, documents: [doc] });
      // Two arrays in one compound index: MongoDB refuses, and so the model does not have it either.
      if (writeErrors) expect((writeErrors as Doc[])[0]!.code).toBe(171);
      else model.insert(doc);
    } else if ('find' in step) {
      const { find: filter, sort, skip, limit } = step;
      const expected = model.find(filter, { ...sort, _id: 1 });
      const ordered = { ...sort, _id: 1 };
      const found = await client.find(name, filter, { sort: ordered, skip, limit });
      expect(ids(found)).toEqual(ids(expected.slice(skip, limit ? skip + limit : undefined)));
      const unordered = await client.find(name, filter, Object.keys(sort).length > 0 ? { sort } : {});
      expect(ids(unordered).sort()).toEqual(ids(expected).sort());
      expect((await client.command({ count: name, query: filter })).n).toBe(expected.length);
    } else if ('set' in step) {
      const { set: filter, field: path, value } = step;
      const u: Doc = value === undefined ? { $unset: { [path]: 1 } } : { $set: { [path]: value } };
      const reply = await client.command({ update: name, updates: [{ q: filter, u, multi: true }] });
      if (reply.writeErrors) expect((reply.writeErrors as Doc[])[0]!.code).toBe(171);
      else expect(reply.n).toBe(model.set(filter, path, value));
    } else {
      const { n } = await client.command({ delete: name, deletes: [{ q: step.remove, limit: 0 }] });
      expect(n).toBe(model.remove(step.remove));
    }
  }
});

const ids = (docs: Doc[]): Value[] => docs.map(({ _id }) => _id!);
const bytes = (doc: Doc): string => writeDocument(doc).toString('hex');

function conflict(error: unknown): void {
  if (!(error instanceof CommandError) || ![85, 86].includes(error.code)) throw error;
}
