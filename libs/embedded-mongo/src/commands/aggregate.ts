import { CommandError } from '../command-error';
import { leading } from '../aggregate/leading';
import { compilePipeline } from '../aggregate/pipeline';
import { type Docs, type PipelineContext } from '../aggregate/stage';
import { isDoc, type Doc, type Value } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { count, find, resolveHint, type FindOptions } from '../plan/find';
import { namespaceOf, type Collection } from '../storage/collection';
import { type CursorReply } from '../wire/message';
import { type Reply } from '../wire/connection';
import { collectionName, countField, letVariables, refuseCollation, type Command } from './command';
import { finish } from './finish';
import { searched, sourceStage } from './source-stages';
import { explainCommand } from './explain';
import { pipelineOf } from './pipeline-search';
import { parseOutput } from './aggregate-output';

export async function aggregateCommand(command: Command): Promise<Reply> {
  const { body, db, engine } = command;
  refuseCollation(body);
  const stages = pipelineOf(body);
  if (body.explain === true) return explainCommand({ ...command, name: 'explain', body: { explain: body, $db: db } });
  const cursor = body.cursor;
  if (!isDoc(cursor))
    throw new CommandError(
      'FailedToParse',
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  const name = body.aggregate === 1 ? '$cmd.aggregate' : collectionName(command);
  const collection = engine.collection(db, name);
  const output = parseOutput(stages.at(-1), db, engine);
  const source = sourceStage(stages[0], engine, db, name);
  const { search, rest } = leading(stages.slice(source ? 1 : 0, output ? -1 : undefined));
  const variables = letVariables(body);
  const context: PipelineContext = {
    documents: (other, wanted) => documents(engine.collection(db, other), wanted),
    variables,
  };
  const counted = source ? undefined : countOnly(rest);
  const run = compilePipeline(rest, context);
  const options: FindOptions = { ...search, hint: resolveHint(collection, body.hint), variables };
  const results =
    counted && collection
      ? counting(collection, options, counted)
      : run(source ? searched(source(collection), search) : documents(collection, options));
  const namespace = namespaceOf(db, name);
  if (output) {
    const found: Doc[] = [];
    await finish(command, results[Symbol.iterator](), (doc) => found.push(doc));
    await output(engine, found);
    return engine.cursors.start(namespace, [][Symbol.iterator](), { batchSize: undefined });
  }
  return start(command, namespace, results, countField(cursor, 'batchSize'));

  function* counting(source: Collection, wanted: FindOptions, [id, name]: [Value, string]): Generator<Doc | undefined> {
    const n = yield* count(engine.store, source, wanted);
    if (n > 0) yield { _id: id, [name]: n };
  }

  function* documents(source: Collection | undefined, wanted: Partial<FindOptions>): Generator<Doc | undefined> {
    if (!source) return;
    const { filter = {}, sort, limit, hint } = wanted;
    for (const found of find(engine.store, source, { filter, sort, limit, hint, variables }).stream) yield found?.doc;
  }
}

function start(
  { engine, body }: Command,
  namespace: string,
  results: Docs,
  batchSize: number | undefined,
): Promise<CursorReply> {
  return engine.cursors.start(namespace, encoded(results), { batchSize, maxTimeMs: countField(body, 'maxTimeMS') });
}

function* encoded(stream: Docs): Generator<Buffer | undefined> {
  for (const doc of stream) yield doc && writeDocument(doc);
}

/** `{ $group: { _id: <constant>, n: { $sum: 1 } } }` alone, as countDocuments sends it: its id and the name of the count. */
function countOnly(stages: Doc[]): [Value, string] | undefined {
  const group = stages.length === 1 ? stages[0]!.$group : undefined;
  if (!isDoc(group) || Object.keys(group).length !== 2) return undefined;
  const [, name] = Object.keys(group) as [string, string];
  const { _id: id, [name]: sum } = group;
  const constant = id === null || id === 1;
  return constant && isDoc(sum) && Object.keys(sum).length === 1 && sum.$sum === 1 ? [id, name] : undefined;
}
