import { CommandError } from '../command-error';
import { leading } from '../aggregate/leading';
import { compilePipeline } from '../aggregate/pipeline';
import { collated, collatedStream, parseCollation } from '../bson/collation';
import { isDoc, type Doc, type Value } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { type Engine } from '../engine';
import { count, resolveHint, type FindOptions } from '../plan/find';
import { namespaceOf, type Collection } from '../storage/collection';
import { type CursorReply } from '../wire/message';
import { type Reply } from '../wire/connection';
import { collectionName, countField, letVariables, type Command } from './command';
import { finish } from './finish';
import { searched, sourceStage } from './source-stages';
import { explainCommand } from './explain';
import { pipelineOf } from './pipeline-search';
import { parseOutput } from './aggregate-output';
import { documents, pipelineContext, resolveView } from './views';

/** `aggregate`. */
export async function aggregateCommand(command: Command): Promise<Reply> {
  const { body, db, engine } = command;
  const stages = pipelineOf(body);
  if (body.explain === true) return explainCommand({ ...command, name: 'explain', body: { explain: body, $db: db } });
  const cursor = body.cursor;
  if (!isDoc(cursor))
    throw new CommandError(
      'FailedToParse',
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  const name = body.aggregate === 1 ? '$cmd.aggregate' : collectionName(command);
  const output = parseOutput(stages.at(-1), db, engine);
  if (output) checkOutputConcern(body);
  const collation = parseCollation(body.collation);
  const found = collated(collation, () => results(command, name, output ? stages.slice(0, -1) : stages));
  const stream = collation ? collatedStream(collation, found) : found;
  const namespace = namespaceOf(db, name);
  if (!output) return start(command, namespace, stream, countField(cursor, 'batchSize'));
  const written: Doc[] = [];
  await finish(command, stream, (doc) => written.push(doc));
  await output(engine, written);
  return engine.cursors.start(namespace, [][Symbol.iterator](), { batchSize: undefined });
}

/** What a pipeline without its output finds, in the collection, through the view, or of what its first stage reports. */
function results({ body, db, engine }: Command, name: string, pipeline: Doc[]): Iterator<Doc | undefined> {
  const resolved = resolveView(engine, db, name);
  const stages = [...resolved.pipeline, ...pipeline];
  const { collection } = resolved;
  const source = sourceStage(stages[0], engine, db, name);
  const { search, rest } = leading(source ? stages.slice(1) : stages);
  const variables = letVariables(body);
  const counted = source ? undefined : countOnly(rest);
  const run = compilePipeline(rest, pipelineContext(engine, db, variables));
  const options: FindOptions = { ...search, hint: resolveHint(collection, body.hint), variables };
  if (counted && collection) return counting(engine, collection, options, counted);
  const docs = source ? searched(source(collection), search) : documents(engine, collection, options);
  return run(docs)[Symbol.iterator]();
}

function* counting(
  { store }: Engine,
  source: Collection,
  wanted: FindOptions,
  [id, name]: [Value, string],
): Generator<Doc | undefined> {
  const n = yield* count(store, source, wanted);
  if (n > 0) yield { _id: id, [name]: n };
}

/** What is written can be read with any concern but the one that asks for the whole set. */
function checkOutputConcern({ readConcern }: Doc): void {
  if (isDoc(readConcern) && readConcern.level === 'linearizable')
    throw new CommandError(
      'InvalidOptions',
      'Aggregation stage $out cannot run with a readConcern other than local or majority: linearizable',
    );
}

function start(
  { engine, body, session }: Command,
  namespace: string,
  found: Iterator<Doc | undefined>,
  batchSize: number | undefined,
): Promise<CursorReply> {
  const maxTimeMs = countField(body, 'maxTimeMS');
  return engine.cursors.start(namespace, encoded(found), { batchSize, maxTimeMs, session });
}

function* encoded(found: Iterator<Doc | undefined>): Generator<Buffer | undefined> {
  try {
    for (let next = found.next(); !next.done; next = found.next()) yield next.value && writeDocument(next.value);
  } finally {
    found.return?.();
  }
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
