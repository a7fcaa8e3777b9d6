import { compileExpression } from '../aggregate/compile-expression';
import { type DocumentStage, compileDocumentPipeline } from '../aggregate/pipeline-update';
import { type Expression } from '../aggregate/expression';
import { CommandError } from '../command-error';
import { typeName } from '../bson/type-name';
import { isDoc, type Doc, type Value } from '../bson/value';
import { checkNamespace } from '../storage/catalog';
import { checkFields, type Fields } from './check-fields';
import { checkVariableName } from '../aggregate/variable-name';

/** A `$merge` stage, checked. */
export interface MergeOptions {
  db: string;
  name: string;
  /** The paths that identify a document in the target. */
  on: string[];
  whenMatched: 'replace' | 'merge' | 'keepExisting' | 'fail' | DocumentStage;
  whenNotMatched: 'insert' | 'discard' | 'fail';
  /** What the pipeline of `whenMatched` may refer to, evaluated on the document that comes in. */
  variables: [string, Expression][];
}

const fields: Fields = {
  into: { kind: 'any', required: true },
  on: { kind: 'any' },
  let: { kind: 'object' },
  whenMatched: { kind: 'any' },
  whenNotMatched: { kind: 'string' },
};

const intoFields: Fields = { db: { kind: 'string' }, coll: { kind: 'string', required: true } };

const matchedModes = ['replace', 'merge', 'keepExisting', 'fail'];
const notMatchedModes = ['insert', 'discard', 'fail'];

/** Options of `$merge`, checked. */
export function mergeOptions(given: Value, currentDb: string): MergeOptions {
  if (typeof given !== 'string' && !isDoc(given))
    throw new CommandError('TypeMismatch', `$merge requires a string or object argument, but found ${typeName(given)}`);
  const spec: Doc = isDoc(given) ? given : { into: given };
  checkFields('$merge', spec, fields);
  const { db, name } = target(spec.into!, currentDb);
  const on = joinFields(spec.on);
  const whenMatched = matchedMode(spec.whenMatched);
  const whenNotMatched = (spec.whenNotMatched ?? 'insert') as MergeOptions['whenNotMatched'];
  if (!notMatchedModes.includes(whenNotMatched)) throw notValid(whenNotMatched, '$merge.whenNotMatched');
  const oneWay = whenMatched === 'keepExisting' || whenMatched === 'fail';
  if (oneWay && whenNotMatched !== 'insert')
    throw new CommandError(
      'Location51181',
      `Combination of $merge modes 'whenMatched: ${whenMatched}' and 'whenNotMatched: ${whenNotMatched}' is not supported`,
    );
  return { db, name, on, whenMatched, whenNotMatched, variables: letOf(spec, whenMatched) };
}

function target(into: Value, currentDb: string): { db: string; name: string } {
  if (typeof into !== 'string' && !isDoc(into))
    throw new CommandError(
      'Location51178',
      `$merge 'into' field  must be either a string or an object, but found ${typeName(into)}`,
    );
  if (isDoc(into)) checkFields('into', into, intoFields);
  const { db, coll } = (isDoc(into) ? { db: currentDb, ...into } : { db: currentDb, coll: into }) as Record<
    'db' | 'coll',
    string
  >;
  if (coll.startsWith('system.'))
    throw new CommandError('Location31319', `Cannot $merge to special collection: ${coll}`);
  checkNamespace(db, coll);
  return { db, name: coll };
}

function joinFields(on: Value | undefined): string[] {
  if (on === undefined || on === null) return ['_id'];
  if (typeof on !== 'string' && !Array.isArray(on))
    throw new CommandError(
      'Location51186',
      `$merge 'on' field  must be either a string or an array of strings, but found ${typeName(on)}`,
    );
  const paths = Array.isArray(on) ? on : [on];
  if (paths.length === 0)
    throw new CommandError('Location51187', "If explicitly specifying $merge 'on', must include at least one field");
  for (const [i, path] of paths.entries()) {
    if (typeof path !== 'string')
      throw new CommandError(
        'Location51134',
        `$merge 'on' array elements must be strings, but found ${typeName(path)}`,
      );
    if (paths.indexOf(path) !== i) throw new CommandError('Location31465', `Found a duplicate field '${path}'`);
  }
  return paths as string[];
}

function matchedMode(mode: Value | undefined): MergeOptions['whenMatched'] {
  if (mode === undefined || mode === null) return 'merge';
  if (Array.isArray(mode)) {
    if (!mode.every(isDoc))
      throw new CommandError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
    return compileDocumentPipeline(mode);
  }
  if (typeof mode !== 'string')
    throw new CommandError(
      'Location51191',
      `$merge 'whenMatched' field  must be either a string or an array, but found ${typeName(mode)}`,
    );
  if (!matchedModes.includes(mode)) throw notValid(mode, 'whenMatched');
  return mode as 'merge';
}

function letOf({ let: given }: Doc, whenMatched: MergeOptions['whenMatched']): [string, Expression][] {
  if (typeof whenMatched === 'string') {
    if (given === undefined) return [];
    throw new CommandError('Location51199', `Cannot use 'let' variables with 'whenMatched: ${whenMatched}' mode`);
  }
  const variables: Doc = isDoc(given) ? given : {};
  if (variables.new !== undefined && variables.new !== '$$ROOT')
    throw new CommandError(
      'Location51273',
      "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'",
    );
  return Object.entries<Value>({ new: '$$ROOT', ...variables }).map(([name, value]) => {
    checkVariableName(name);
    return [name, compileExpression(value)];
  });
}

const notValid = (value: string, field: string): CommandError =>
  new CommandError('BadValue', `Enumeration value '${value}' for field '${field}' is not a valid value.`);
