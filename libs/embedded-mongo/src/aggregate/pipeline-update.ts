import { CommandError } from '../command-error';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Updater } from '../update/path-update';
import { compileDocumentStage, type DocumentStage } from './stages/document-stages';
import { type Variables } from './expression';

export { type DocumentStage };

const allowed = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** A pipeline that makes one document of one document. */
export function compileDocumentPipeline(pipeline: Value[]): DocumentStage {
  const stages = pipeline.map((stage) => {
    if (!isDoc(stage) || Object.keys(stage).length !== 1)
      throw new CommandError('Location40323', 'A pipeline stage specification object must contain exactly one field.');
    const [name] = Object.keys(stage) as [string];
    if (!allowed.has(name))
      throw new CommandError('InvalidOptions', `${name} is not allowed to be used within an update`);
    return compileDocumentStage(name, stage[name]!)!;
  });
  return (doc, variables) => stages.reduce<Doc>((current, stage) => stage(current, variables), doc);
}

/** An update given as a pipeline. */
export function compilePipelineUpdate(pipeline: Value[], constants: Variables = {}): Updater {
  const run = compileDocumentPipeline(pipeline);
  return (doc) => run(doc, constants);
}
