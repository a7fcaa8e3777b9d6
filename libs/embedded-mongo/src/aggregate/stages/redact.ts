import { CommandError } from '../../command-error';
import { isDoc, setField, type Doc, type Value } from '../../bson/value';
import { compileExpression } from '../compile-expression';
import { type CompileStage } from '../stage';

const verdicts = { DESCEND: 'descend', PRUNE: 'prune', KEEP: 'keep' };

/** `$redact`. */
export const redact: CompileStage = (operand, { variables }) => {
  const decide = compileExpression(operand);
  const visit = (doc: Doc, root: Doc): Doc | undefined => {
    const verdict = decide(doc, { ...variables, ...verdicts, ROOT: root });
    if (verdict === 'keep') return doc;
    if (verdict === 'prune') return undefined;
    if (verdict !== 'descend')
      throw new CommandError('Location17053', '$redact must resolve to $$DESCEND, $$PRUNE or $$KEEP');
    const result: Doc = {};
    for (const name of Object.keys(doc)) {
      const value = inside(doc[name]!, root);
      if (value !== undefined) setField(result, name, value);
    }
    return result;
  };
  const inside = (value: Value, root: Doc): Value | undefined => {
    if (Array.isArray(value)) return value.flatMap((item) => inside(item, root) ?? []);
    return isDoc(value) ? visit(value, root) : value;
  };
  return function* (docs) {
    for (const doc of docs) {
      const kept = doc && visit(doc, doc);
      if (!doc || kept) yield kept;
    }
  };
};
