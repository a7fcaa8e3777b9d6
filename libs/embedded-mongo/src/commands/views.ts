import { leading } from '../aggregate/leading';
import { compilePipeline } from '../aggregate/pipeline';
import { type Docs, type PipelineContext } from '../aggregate/stage';
import { type Variables } from '../aggregate/expression';
import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { type Engine } from '../engine';
import { find, type FindOptions } from '../plan/find';
import { namespaceOf, type Collection } from '../storage/collection';

const maxDepth = 20;

/** Whether it is a view. */
export const isView = (collection: Collection | undefined): boolean => collection?.options.viewOn !== undefined;

/** Where a pipeline on a collection or view really reads, and through which stages. */
export interface Resolved {
  name: string;
  collection: Collection | undefined;
  pipeline: Doc[];
}

/** The collection below a view, and the pipelines on the way to it. */
export function resolveView(engine: Engine, db: string, name: string): Resolved {
  const pipeline: Doc[] = [];
  let at = name;
  for (let depth = 0; ; depth++) {
    const collection = engine.collection(db, at);
    if (!collection || !isView(collection)) return { name: at, collection, pipeline };
    if (depth === maxDepth)
      throw new CommandError(
        'ViewDepthLimitExceeded',
        `View depth too deep or view cycle detected; maximum depth is ${maxDepth}`,
      );
    pipeline.unshift(...(collection.options.pipeline as Doc[]));
    at = collection.options.viewOn as string;
  }
}

/** What stages such as $lookup read of other collections and views of the database. */
export function pipelineContext(engine: Engine, db: string, variables: Variables | undefined): PipelineContext {
  const context: PipelineContext = {
    variables,
    documents: (name, wanted) => {
      const { collection, pipeline } = resolveView(engine, db, name);
      if (pipeline.length === 0) return documents(engine, collection, { filter: {}, ...wanted, variables });
      const { search, rest } = leading(pipeline);
      const seen = compilePipeline(rest, context)(documents(engine, collection, { ...search, variables }));
      return compilePipeline(searchStages(wanted), context)(seen);
    },
  };
  return context;
}

/** A search of a view: find, count and distinct on it. */
export function searchView(engine: Engine, db: string, name: string, options: FindOptions): Docs {
  const context = pipelineContext(engine, db, options.variables);
  return compilePipeline(searchStages(options), context)(context.documents(name, {}));
}

function searchStages({ filter, sort, skip = 0, limit = 0 }: Partial<FindOptions>): Doc[] {
  return [
    ...(filter ? [{ $match: filter }] : []),
    ...(sort && Object.keys(sort).length > 0 ? [{ $sort: sort }] : []),
    ...(skip > 0 ? [{ $skip: skip }] : []),
    ...(limit > 0 ? [{ $limit: limit }] : []),
  ];
}

/** Documents of a collection as a search finds them; undefined where nothing was found yet and others may have a turn. */
export function* documents(
  { store }: Engine,
  source: Collection | undefined,
  options: FindOptions,
): Generator<Doc | undefined> {
  if (!source) return;
  for (const found of find(store, source, options).stream) yield found?.doc;
}

/** mongod's error for a command that views do not have. */
export const notOnView = (db: string, name: string): CommandError =>
  new CommandError('CommandNotSupportedOnView', `Namespace ${namespaceOf(db, name)} is a view, not a collection`);

/** Refuses a definition that cannot be read: stages that do not exist or write, or a view that ends in itself. */
export function checkView(engine: Engine, db: string, name: string, { viewOn, pipeline }: Doc): void {
  if (typeof viewOn !== 'string' || viewOn === '') throw new CommandError('BadValue', "'viewOn' cannot be empty");
  const stages = (pipeline ?? []) as Doc[];
  const writes = stages.map((stage) => Object.keys(stage)[0]).find((stage) => stage === '$out' || stage === '$merge');
  if (writes)
    throw new CommandError(
      'OptionNotSupportedOnView',
      `The aggregation stage ${writes} in location 0 of the pipeline cannot be used in the view definition of ${db}.${name}`,
    );
  compilePipeline(stages, pipelineContext(engine, db, undefined));
  const seen = new Set([name]);
  for (let at: string = viewOn, depth = 1; ; depth++) {
    if (seen.has(at)) throw new CommandError('GraphContainsCycle', `View cycle detected: ${[...seen, at].join(' → ')}`);
    if (depth > maxDepth)
      throw new CommandError('ViewDepthLimitExceeded', `View depth limit exceeded; maximum depth is ${maxDepth}`);
    seen.add(at);
    const next = engine.collection(db, at);
    if (!next || !isView(next)) return;
    at = next.options.viewOn as string;
  }
}
