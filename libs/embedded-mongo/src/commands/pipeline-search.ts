import { CommandError } from '../command-error';
import { leading } from '../aggregate/leading';
import { isDoc, type Doc } from '../bson/value';
import { resolveHint, type FindOptions } from '../plan/find';
import { type Collection } from '../storage/collection';
import { type Command } from './command';

/** The stages of an aggregate command, each with one name. */
export function pipelineOf(body: Doc): Doc[] {
  const { pipeline } = body;
  if (!Array.isArray(pipeline))
    throw new CommandError('TypeMismatch', "'pipeline' option must be specified as an array");
  for (const stage of pipeline) {
    if (!isDoc(stage)) throw new CommandError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
    if (Object.keys(stage).length !== 1) {
      throw new CommandError('Location40323', 'A pipeline stage specification object must contain exactly one field.');
    }
  }
  if ((pipeline as Doc[]).some((stage) => stage.$changeStream !== undefined)) {
    throw new CommandError('Location40573', 'The $changeStream stage is only supported on replica sets');
  }
  return pipeline as Doc[];
}

/** What explain reports of a pipeline is the search that feeds it. */
export function pipelineSearch({ body }: Command, collection: Collection | undefined): FindOptions {
  return { ...leading(pipelineOf(body)).search, hint: resolveHint(collection, body.hint) };
}
