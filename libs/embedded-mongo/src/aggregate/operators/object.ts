import { CommandError } from '../../command-error';
import { typeName } from '../../bson/type-name';
import { getField, isDoc, isNil, setField, type Doc, type Value } from '../../bson/value';
import { type CompileOperator } from '../expression';
import { fixed, named, variadic } from './operand';

/** `$mergeObjects`: later fields win, null is skipped. Throws Location40400 for what is no document. */
export const mergeDocs = (docs: (Value | undefined)[], name = '$mergeObjects'): Doc => {
  const merged: Doc = {};
  for (const doc of docs) {
    if (isNil(doc)) continue;
    if (!isDoc(doc))
      throw new CommandError('Location40400', `${name} requires object inputs, but input is of type ${typeName(doc)}`);
    for (const field of Object.keys(doc)) setField(merged, field, doc[field]!);
  }
  return merged;
};

const getFieldOperator: CompileOperator = (operand, _name, compile) => {
  const spec = isDoc(operand) && operand.field !== undefined ? operand : { field: operand };
  const field = compile(spec.field!);
  const input = compile(spec.input ?? '$$CURRENT');
  return (doc, variables) => {
    const name = field(doc, variables);
    if (typeof name !== 'string')
      throw new CommandError(
        'Location5654602',
        `$getField requires 'field' to evaluate to type String, but got ${typeName(name)}`,
      );
    const value = input(doc, variables);
    if (isNil(value)) return value;
    return isDoc(value) ? getField(value, name) : undefined;
  };
};

const setFieldOperator =
  (remove: boolean): CompileOperator =>
  (operand, name, compile) => {
    const known = remove ? ['field', 'input'] : ['field', 'input', 'value'];
    const spec = named(operand, name, known, known, compile);
    return (doc, variables) => {
      const field = spec.value('field', doc, variables);
      const input = spec.value('input', doc, variables);
      if (isNil(input)) return null;
      if (typeof field !== 'string' || !isDoc(input))
        throw new CommandError(
          'Location4161105',
          `${name} requires 'field' to be a string and 'input' to be an object`,
        );
      const copy = { ...input };
      const value = remove ? undefined : spec.value('value', doc, variables);
      if (value === undefined) delete copy[field];
      else setField(copy, field, value);
      return copy;
    };
  };

const arrayToObject = fixed(1, ([array]) => {
  if (isNil(array)) return null;
  if (!Array.isArray(array))
    throw new CommandError('Location40386', `$arrayToObject requires an array input, found: ${typeName(array)}`);
  const result: Doc = {};
  for (const item of array) {
    const [key, value] = Array.isArray(item) ? item : isDoc(item) ? [item.k, item.v] : [];
    if (typeof key !== 'string')
      throw new CommandError(
        'Location40394',
        '$arrayToObject requires an array of key-value pairs, where the key must be of type string',
      );
    setField(result, key, value ?? null);
  }
  return result;
});

const objectToArray = fixed(1, ([doc]) => {
  if (isNil(doc)) return null;
  if (!isDoc(doc))
    throw new CommandError('Location40390', `$objectToArray requires a document input, found: ${typeName(doc)}`);
  return Object.keys(doc).map((k) => ({ k, v: doc[k]! }));
});

export const objectOperators: Record<string, CompileOperator> = {
  $mergeObjects: variadic((docs) => mergeDocs(docs.length === 1 && Array.isArray(docs[0]) ? docs[0] : docs)),
  $getField: getFieldOperator,
  $setField: setFieldOperator(false),
  $unsetField: setFieldOperator(true),
  $arrayToObject: arrayToObject,
  $objectToArray: objectToArray,
};
