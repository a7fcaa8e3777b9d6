import { CommandError } from '../../command-error';
import { typeName } from '../../bson/type-name';
import { isDoc, type Doc } from '../../bson/value';
import { type CompileStage } from '../stage';

/** Several pipelines over the same documents. */
export const facet: CompileStage = (operand, context, _name, compile) => {
  if (!isDoc(operand) || Object.keys(operand).length === 0)
    throw new CommandError('Location40169', 'the $facet specification must be a non-empty object');
  const pipelines = Object.keys(operand).map((name) => {
    const pipeline = operand[name];
    if (!Array.isArray(pipeline))
      throw new CommandError(
        'Location40170',
        `arguments to $facet must be arrays, ${name} is type ${typeName(pipeline)}`,
      );
    return { name, run: compile(pipeline as Doc[], context) };
  });
  return function* (docs) {
    const all: Doc[] = [];
    for (const doc of docs) {
      if (doc) all.push(doc);
      else yield undefined;
    }
    const result: Doc = {};
    for (const { name, run } of pipelines) {
      const found: Doc[] = [];
      for (const doc of run(all)) {
        if (doc) found.push(doc);
        else yield undefined;
      }
      result[name] = found;
    }
    yield result;
  };
};
