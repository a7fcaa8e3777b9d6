import { type Variables } from './expression';
import { CommandError } from '../command-error';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Updater } from '../update/path-update';
import { compileDocumentStage } from './stages/document-stages';

const allowed = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** An update given as a pipeline: each stage turns one document into one document. */
export function compilePipelineUpdate(pipeline: Value[], constants: Variables = {}): Updater {
  const stages = pipeline.map((stage) => {
    const name = isDoc(stage) ? Object.keys(stage)[0] : undefined;
    if (name === undefined)
      throw new CommandError('Location40323', 'A pipeline stage specification object must contain exactly one field.');
    if (!allowed.has(name))
      throw new CommandError('InvalidOptions', `${name} is not allowed to be used within an update`);
    return compileDocumentStage(name, (stage as Doc)[name]!)!;
  });
  return (doc) => stages.reduce((current, stage) => stage(current, constants), doc);
}
