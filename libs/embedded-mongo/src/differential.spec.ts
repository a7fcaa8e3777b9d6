import fc from 'fast-check';
import { aggregate } from 'mingo';
import { compilePipeline } from './aggregate/pipeline';
import { toPlain } from './aggregate/plain';
import { CommandError } from './command-error';
import { type Doc } from './bson/value';
import { readDocument } from './bson/read-document';
import { writeDocument } from './bson/write-document';
import { compileFilter } from './query/compile-filter';
import { pipelines, records } from './testing/arbitrary-pipelines';
import { filters, plainDocuments, updates } from './testing/arbitrary-queries';
import { matchesFilter } from './testing/naive-filter';
import { Refused, updated } from './testing/naive-update';
import { compileUpdate } from './update/compile-update';

const numRuns = 3000 * Number(process.env.SEEDS ?? 1);

/** The store against second implementations: slow models of filters and updates, and mingo for pipelines, of which the store takes only what is not asked here. */
describe('of random documents', () => {
  it('filters find what the model finds', () => {
    fc.assert(
      fc.property(fc.array(plainDocuments, { minLength: 1, maxLength: 4 }), filters, (docs, filter) => {
        const matches = compileFilter(filter);
        expect(docs.map(matches)).toEqual(docs.map((doc) => matchesFilter(doc, filter)));
      }),
      { numRuns },
    );
  });

  const attempt = (run: () => Doc): Doc | 'refused' => {
    try {
      return run();
    } catch (error) {
      if (error instanceof Refused || error instanceof CommandError) return 'refused';
      throw error;
    }
  };

  it('updates make what the model makes, or are refused by both', () => {
    let refused = 0;
    fc.assert(
      fc.property(plainDocuments, updates, (doc, u) => {
        const model = attempt(() => updated(doc, u));
        // Of the width of numbers the model knows nothing.
        const stored = attempt(() => toPlain(compileUpdate({ u }).update(readDocument(writeDocument(doc)), {})) as Doc);
        expect(stored).toEqual(model);
        if (model !== 'refused') expect(Object.keys(stored)).toEqual(Object.keys(model));
        else refused++;
      }),
      { numRuns },
    );
    expect(refused).toBeLessThan(numRuns * 0.9);
  });

  it('pipelines give what mingo gives', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 1, maxLength: 6 }), pipelines, (some, pipeline) => {
        const docs = some.map((doc, _id): Doc => ({ _id, ...doc }));
        const run = compilePipeline(pipeline, { documents: () => [] });
        const ours = [...run(docs.map((doc) => readDocument(writeDocument(doc))))].map((doc) => toPlain(doc!));
        const theirs = asMongo(aggregate(docs, pipeline as never), pipeline);
        expect(settled(ours, pipeline)).toEqual(settled(theirs, pipeline));
      }),
      { numRuns },
    );
  });

  /** Where mingo is known not to do as MongoDB: its $count of nothing is a zero, MongoDB's is nothing; its integers have a -0. */
  const asMongo = (docs: object[], pipeline: Doc[]): object[] => {
    const plain = JSON.parse(JSON.stringify(docs)) as Doc[];
    return pipeline.at(-1)!.$count ? plain.filter(({ n }) => n !== 0) : plain;
  };

  /** Groups come in no order. */
  const settled = (docs: unknown[], pipeline: Doc[]): unknown[] => {
    const { $group, $sortByCount } = pipeline.at(-1)!;
    const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    return $group || $sortByCount ? docs.toSorted(byText) : docs;
  };
});
