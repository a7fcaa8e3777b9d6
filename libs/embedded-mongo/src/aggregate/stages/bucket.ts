import { CommandError } from '../../command-error';
import { compareValues } from '../../bson/compare';
import { isDoc, type Doc, type Value } from '../../bson/value';
import { compileExpression } from '../compile-expression';
import { compileAccumulator } from './group';
import { type CompileStage } from '../stage';

/** `$bucket`. */
export const bucket: CompileStage = (operand, { variables }) => {
  if (!isDoc(operand) || !Array.isArray(operand.boundaries) || operand.groupBy === undefined) {
    throw new CommandError('Location40198', "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  }
  const { boundaries, default: fallback, output = { count: { $sum: 1 } } } = operand;
  const groupBy = compileExpression(operand.groupBy);
  const fields = Object.keys(output as Doc).map((name) => ({
    name,
    start: compileAccumulator(name, (output as Doc)[name]!),
  }));
  return function* (docs) {
    const start = (): { state: ReturnType<(typeof fields)[number]['start']>; name: string }[] =>
      fields.map(({ name, start }) => ({ name, state: start() }));
    const buckets = new Map<Value, ReturnType<typeof start>>();
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const value = groupBy(doc, variables);
      const at = boundaries.findLastIndex((boundary) => compareValues(value, boundary) >= 0);
      const inside = value !== undefined && at >= 0 && at < boundaries.length - 1;
      if (!inside && fallback === undefined)
        throw new CommandError(
          'Location40066',
          '$switch could not find a matching branch for an input, and no default was specified.',
        );
      const id = inside ? boundaries[at]! : fallback!;
      const states = buckets.get(id) ?? start();
      buckets.set(id, states);
      for (const { state } of states) state.add(doc, variables);
    }
    const ordered = [...buckets].sort(([a], [b]) => compareValues(a, b));
    for (const [_id, states] of ordered) {
      const result: Doc = { _id };
      for (const { name, state } of states) result[name] = state.result() ?? null;
      yield result;
    }
  };
};
