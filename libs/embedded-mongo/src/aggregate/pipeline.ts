import { CommandError } from '../command-error';
import { type Doc, type Value } from '../bson/value';
import { compileDocumentStage } from './stages/document-stages';
import { stages } from './stages';
import { type PipelineContext, type Stage } from './stage';

/** Compiles and joins the stages of a pipeline; throws a CommandError with mongod's code for one that is wrong. */
export function compilePipeline(pipeline: Doc[], context: PipelineContext): Stage {
  const compiled = pipeline.map((stage) => {
    if (Object.keys(stage).length !== 1) {
      throw new CommandError('Location40323', 'A pipeline stage specification object must contain exactly one field.');
    }
    const name = Object.keys(stage)[0]!;
    return compileStage(name, stage[name]!, context);
  });
  return (docs) => compiled.reduce((current, stage) => stage(current), docs);
}

function compileStage(name: string, operand: Value, context: PipelineContext): Stage {
  const single = compileDocumentStage(name, operand);
  if (single) return mapping((doc) => single(doc, context.variables));
  const compile = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!compile) throw new CommandError('Location40324', `Unrecognized pipeline stage name: '${name}'`);
  return compile(operand, context, name, compilePipeline);
}

const mapping = (map: (doc: Doc) => Doc): Stage =>
  function* (docs) {
    for (const doc of docs) yield doc && map(doc);
  };
