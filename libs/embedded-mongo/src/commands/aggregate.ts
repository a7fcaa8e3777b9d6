import { CommandError } from '../command-error';
import { compilePipeline } from '../aggregate/pipeline';
import { isDoc, type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { type Stream } from '../cursors';
import { find, resolveHint, type FindOptions } from '../plan/find';
import { namespaceOf, type Collection } from '../storage/collection';
import { type CursorReply } from '../wire/message';
import { collectionName, countField, refuseCollation, type Command } from './command';

export function aggregateCommand(command: Command): Promise<CursorReply> {
  const { body, db, engine } = command;
  refuseCollation(body);
  const stages = pipelineOf(body);
  if (stages.some((stage) => '$changeStream' in stage)) {
    throw new CommandError(40573, 'The $changeStream stage is only supported on replica sets');
  }
  const cursor = body.cursor;
  if (!isDoc(cursor))
    throw new CommandError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const name = body.aggregate === 1 ? '$cmd.aggregate' : collectionName(command);
  const collection = engine.collection(db, name);
  const { search, rest } = leading(stages);
  const options: FindOptions = { ...search, hint: resolveHint(collection, body.hint) };
  const run = compilePipeline(rest, { engine, db });
  return engine.cursors.start(namespaceOf(db, name), encoded(run(source())), {
    batchSize: countField(cursor, 'batchSize'),
    maxTimeMs: countField(body, 'maxTimeMS'),
  });

  function* source(): Generator<Doc | undefined> {
    if (!collection) return;
    for (const found of find(engine.store, collection, options).stream) yield found?.doc;
  }
}

function* encoded(stream: Iterable<Doc | undefined>): Stream<Buffer> {
  for (const doc of stream) yield doc && writeDocument(doc);
}

function pipelineOf(body: Doc): Doc[] {
  const { pipeline } = body;
  if (!Array.isArray(pipeline)) throw new CommandError(14, "'pipeline' option must be specified as an array");
  for (const stage of pipeline) {
    if (!isDoc(stage)) throw new CommandError(14, "Each element of the 'pipeline' array must be an object");
    if (Object.keys(stage).length !== 1)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  return pipeline as Doc[];
}

/** The stages at the start that a plan can serve: $match, $sort, $skip and $limit as far as their order means the same. */
export function leading(stages: Doc[]): { search: FindOptions; rest: Doc[] } {
  const filters: Doc[] = [];
  let sort: Doc | undefined;
  let at = 0;
  for (; at < stages.length; at++) {
    const stage = stages[at]!;
    if (isDoc(stage.$match) && !sort) filters.push(stage.$match);
    else if (isDoc(stage.$sort) && !sort) sort = stage.$sort;
    else break;
  }
  const filter: Doc = filters.length === 1 ? filters[0]! : filters.length === 0 ? {} : { $and: filters };
  return { search: { filter, sort }, rest: stages.slice(at) };
}

/** What explain reports of a pipeline is the search that feeds it. */
export function pipelineSearch({ body }: Command, collection: Collection | undefined): FindOptions {
  return { ...leading(pipelineOf(body)).search, hint: resolveHint(collection, body.hint) };
}
