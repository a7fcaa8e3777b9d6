import { CommandError } from '../../command-error';
import { isNumber, toDouble } from '../../bson/arithmetic';
import { isDoc, type Doc, type Value } from '../../bson/value';
import { valueKey } from '../../bson/value-key';
import { compileExpression } from '../compile-expression';
import { withField } from './lookup';
import { type CompileStage } from '../stage';

/** `$graphLookup`. */
export const graphLookup: CompileStage = (operand, context) => {
  if (!isDoc(operand))
    throw new CommandError('Location40327', 'the $graphLookup stage specification must be an object');
  const {
    from,
    startWith,
    connectFromField,
    connectToField,
    as,
    maxDepth,
    depthField,
    restrictSearchWithMatch = {},
  } = operand;
  for (const [name, value] of Object.entries({ from, connectFromField, connectToField, as })) {
    if (typeof value !== 'string')
      throw new CommandError('Location40105', `$graphLookup requires '${name}' to be a string`);
  }
  if (startWith === undefined) throw new CommandError('Location40105', "$graphLookup requires 'startWith'");
  const start = compileExpression(startWith);
  const next = compileExpression(`$${connectFromField as string}`);
  const most = maxDepth !== undefined && isNumber(maxDepth) ? toDouble(maxDepth) : Infinity;
  const asParts = (as as string).split('.');

  return function* (docs) {
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const found = new Map<string, Doc>();
      let frontier = list(start(doc, context.variables));
      for (let depth = 0; depth <= most && frontier.length > 0; depth++) {
        const filter = { $and: [{ [connectToField as string]: { $in: frontier } }, restrictSearchWithMatch] };
        frontier = [];
        for (const match of context.documents(from as string, { filter })) {
          if (!match) {
            yield undefined;
            continue;
          }
          const key = valueKey(match._id).toString('latin1');
          if (found.has(key)) continue;
          found.set(key, typeof depthField === 'string' ? { ...match, [depthField]: BigInt(depth) } : match);
          frontier.push(...list(next(match)));
        }
      }
      yield withField(doc, asParts, 0, [...found.values()]);
    }
  };
};

const list = (value: Value | undefined): Value[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
