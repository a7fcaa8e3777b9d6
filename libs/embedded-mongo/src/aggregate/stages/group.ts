import { CommandError } from '../../command-error';
import { isDoc, type Doc, type Value } from '../../bson/value';
import { groupKey } from '../../bson/value-key';
import { accumulators, type Accumulator } from '../accumulators';
import { compileExpression } from '../compile-expression';
import { type CompileStage } from '../stage';

/** About what a group takes besides its key, for each of its fields. */
const groupBytes = 200;
const maxGroupBytes = 256 * 1024 * 1024;

/** `$group`. */
export const groupStage: CompileStage = (operand, { variables }) => {
  if (!isDoc(operand)) throw new CommandError('Location15947', "a group's fields must be specified in an object");
  if (operand._id === undefined) throw new CommandError('Location15955', 'a group specification must include an _id');
  const id = compileExpression(operand._id);
  const fields = Object.keys(operand)
    .filter((name) => name !== '_id')
    .map((name) => ({ name, start: compileAccumulator(name, operand[name]!) }));
  return function* (docs) {
    let bytes = 0;
    const groups = new Map<string, { _id: Value; states: Accumulator[] }>();
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const _id = id(doc, variables) ?? null;
      const key = groupKey(_id);
      let group = groups.get(key);
      if (!group) {
        groups.set(key, (group = { _id, states: fields.map(({ start }) => start()) }));
        bytes += key.length + groupBytes * (fields.length + 1);
        if (bytes > maxGroupBytes)
          throw new CommandError(
            'QueryExceededMemoryLimitNoDiskUseAllowed',
            'Exceeded memory limit for $group, and this server does not spill to disk',
          );
      }
      for (const state of group.states) state.add(doc, variables);
    }
    for (const { _id, states } of groups.values()) {
      const result: Doc = { _id };
      for (const [i, { name }] of fields.entries()) result[name] = states[i]!.result() ?? null;
      yield result;
    }
  };
};

/** The accumulator of one field, as in `{ total: { $sum: '$price' } }`. */
export function compileAccumulator(name: string, spec: Value): () => Accumulator {
  if (name.includes('.')) throw new CommandError('Location40235', `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$'))
    throw new CommandError('Location40236', `The field name '${name}' cannot be an operator name`);
  const operator = isDoc(spec) ? Object.keys(spec) : [];
  if (operator.length !== 1)
    throw new CommandError(
      isDoc(spec) ? 'Location40238' : 'Location40234',
      isDoc(spec)
        ? `The field '${name}' must specify one accumulator`
        : `The field '${name}' must be an accumulator object`,
    );
  const compile = Object.hasOwn(accumulators, operator[0]!) ? accumulators[operator[0]!] : undefined;
  if (!compile) throw new CommandError('Location15952', `unknown group operator '${operator[0]}'`);
  return compile((spec as Doc)[operator[0]!]!, operator[0]!);
}
