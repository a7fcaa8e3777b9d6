import { CommandError } from '../command-error';
import { getField, isDoc, setField, type Doc, type Value } from '../bson/value';
import { isOperatorDoc } from '../query/compile-filter';
import { isRegex } from '../query/regex';

/** The document an upsert starts from: what the filter says must be equal; of a replacement only `_id`. */
export function upsertBase(filter: Doc, idOnly: boolean): Doc {
  const fields = new Map<string, Value>();
  collect(filter, fields);
  const doc: Doc = {};
  const id = fields.get('_id');
  if (id !== undefined) doc._id = id;
  if (idOnly) return doc;
  for (const [path, value] of fields) if (path !== '_id') put(doc, path, value);
  return doc;
}

function collect(filter: Doc, into: Map<string, Value>): void {
  for (const name of Object.keys(filter)) {
    const operand = filter[name]!;
    if (name === '$and' && Array.isArray(operand)) for (const clause of operand) collect(clause as Doc, into);
    else if (name === '$or' && Array.isArray(operand) && operand.length === 1) collect(operand[0] as Doc, into);
    else if (!name.startsWith('$')) collectField(name, operand, into);
  }
}

function collectField(path: string, operand: Value, into: Map<string, Value>): void {
  if (isRegex(operand)) return;
  if (!isOperatorDoc(operand)) return add(path, operand, into);
  if (operand.$eq !== undefined) add(path, operand.$eq, into);
  const { $all, $in } = operand;
  if (Array.isArray($all) && $all.length === 1 && !isOperatorDoc($all[0]!) && !isRegex($all[0]))
    add(path, $all[0]!, into);
  if (Array.isArray($in) && $in.length === 1 && !isRegex($in[0])) add(path, $in[0]!, into);
}

function add(path: string, value: Value, into: Map<string, Value>): void {
  for (const other of into.keys()) {
    if (other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`)) {
      throw new CommandError(
        'NotSingleValueField',
        `cannot infer query fields to set, ${other === path ? `path '${path}' is matched twice` : `both paths '${other}' and '${path}' are matched`}`,
      );
    }
  }
  into.set(path, value);
}

function put(doc: Doc, path: string, value: Value): void {
  const parts = path.split('.');
  let current = doc;
  for (const part of parts.slice(0, -1)) {
    const next = getField(current, part);
    const child: Doc = isDoc(next) ? next : {};
    setField(current, part, child);
    current = child;
  }
  setField(current, parts.at(-1)!, value);
}
