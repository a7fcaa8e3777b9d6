import { CommandError } from '../../command-error';
import { describe } from '../../bson/describe';
import { typeName } from '../../bson/type-name';
import { checkVariableName } from '../variable-name';
import { isDoc, setField, type Doc, type Value } from '../../bson/value';
import { anyValue } from '../../query/path';
import { isRegex } from '../../query/regex';
import { compileExpression } from '../compile-expression';
import { leading } from '../leading';
import { type CompileStage } from '../stage';

const texts = new Set(['from', 'as', 'localField', 'foreignField']);

function checkArguments(spec: Doc): void {
  for (const name of Object.keys(spec)) {
    const value = spec[name]!;
    const shown = `$lookup argument '${name}: ${describe(value)}'`;
    if (name === 'pipeline') {
      if (!Array.isArray(value))
        throw new CommandError('TypeMismatch', "'pipeline' option must be specified as an array");
      if (!value.every(isDoc))
        throw new CommandError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
    } else if (name === 'let') {
      if (!isDoc(value))
        throw new CommandError('FailedToParse', `${shown} must be an object, is type ${typeName(value)}`);
      for (const variable of Object.keys(value)) checkVariableName(variable);
    } else if (!texts.has(name)) throw new CommandError('FailedToParse', `unknown argument to $lookup: ${name}`);
    else if (typeof value !== 'string')
      throw new CommandError('FailedToParse', `${shown} must be a string, is type ${typeName(value)}`);
  }
}

/** Joins by equal fields, by a pipeline, or by both; the other collection's indexes serve the equality. */
export const lookup: CompileStage = (operand, context, _name, compile) => {
  if (!isDoc(operand)) throw new CommandError('FailedToParse', 'the $lookup specification must be an object');
  checkArguments(operand);
  const { from, localField, foreignField, as, pipeline, let: variables = {} } = operand;
  if (typeof as !== 'string') throw new CommandError('FailedToParse', "must specify 'as' field for a $lookup");
  if (typeof from !== 'string' && !Array.isArray(pipeline))
    throw new CommandError('FailedToParse', "must specify 'from' field for a $lookup");
  const byField = localField !== undefined || foreignField !== undefined;
  if (byField && (typeof localField !== 'string' || typeof foreignField !== 'string')) {
    throw new CommandError(
      'FailedToParse',
      '$lookup requires both or neither of localField and foreignField to be specified',
    );
  }
  if (!byField && !Array.isArray(pipeline))
    throw new CommandError(
      'FailedToParse',
      "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
    );
  const bindings = Object.keys(variables as Doc).map(
    (name) => [name, compileExpression((variables as Doc)[name]!)] as const,
  );
  const asParts = as.split('.');
  const stages = (pipeline ?? []) as Doc[];
  const { search, rest } = leading(stages);

  return function* (docs) {
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const bound: Record<string, Value | undefined> = { ...context.variables };
      for (const [name, expression] of bindings) bound[name] = expression(doc, context.variables);
      const join = byField ? joinFilter(doc, localField as string, foreignField as string) : {};
      // Variables are in scope in the pipeline, its leading filter too, so with them nothing is taken out of it.
      const usesVariables = bindings.length > 0;
      const filter = usesVariables ? join : { $and: [join, search.filter] };
      const found: Doc[] = [];
      const source =
        typeof from === 'string'
          ? context.documents(from, { filter, sort: usesVariables ? undefined : search.sort })
          : [];
      const run = compile(usesVariables ? stages : rest, { ...context, variables: bound });
      for (const match of run(source)) {
        if (match) found.push(match);
        else yield undefined;
      }
      yield withField(doc, asParts, 0, found);
    }
  };
};

/** Equal to the local value, or to one of its items; a missing local field joins with null and missing. */
function joinFilter(doc: Doc, localField: string, foreignField: string): Doc {
  const values: Value[] = [];
  anyValue(
    doc,
    localField.split('.'),
    0,
    (value) => {
      if (Array.isArray(value)) values.push(...value);
      else values.push(value ?? null);
      return false;
    },
    false,
  );
  const wanted = values.map((value) => (isRegex(value) ? { $eq: value } : value));
  if (wanted.length === 1) return { [foreignField]: { $eq: values[0]! } };
  const regexes = values.filter(isRegex).map((value): Doc => ({ [foreignField]: { $eq: value } }));
  const plain: Doc = { [foreignField]: { $in: values.filter((value) => !isRegex(value)) } };
  return regexes.length > 0 ? { $or: [plain, ...regexes] } : plain;
}

/** A copy with the value at a path; what is on the way and no document is replaced. */
export function withField(doc: Doc, parts: string[], depth: number, value: Value): Doc {
  const copy = { ...doc };
  const name = parts[depth]!;
  const inner = copy[name];
  setField(
    copy,
    name,
    depth === parts.length - 1 ? value : withField(isDoc(inner) ? inner : {}, parts, depth + 1, value),
  );
  return copy;
}
