import { CommandError } from '../command-error';
import { compileExpression } from '../aggregate/compile-expression';
import { type Variables } from '../aggregate/expression';
import { truthy } from '../aggregate/truthy';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileOperators, equals, regexPredicate, type Predicate } from './operators';
import { isReference } from './reference';
import { compileJsonSchema } from './json-schema';
import { type Matcher } from './path';
import { isRegex } from './regex';

const always: Matcher = () => true;

/** Compiles a query filter once; what it returns is called for every document looked at. */
export function compileFilter(filter: Doc, variables?: Variables): Matcher {
  const matchers = Object.keys(filter).flatMap((name) => compileField(name, filter[name]!, variables));
  return all(matchers);
}

function all(matchers: Matcher[]): Matcher {
  if (matchers.length === 0) return always;
  if (matchers.length === 1) return matchers[0]!;
  return (doc) => {
    for (const matches of matchers) if (!matches(doc)) return false;
    return true;
  };
}

function compileField(name: string, operand: Value, variables: Variables | undefined): Matcher[] {
  if (name.startsWith('$') && !isReference(name)) return compileLogical(name, operand, variables);
  const parts = name.split('.');
  return compilePredicates(operand).map((predicate) => predicate.atPath(parts));
}

/** What follows a field name: a document of operators, a regex, or a value to equal. */
export function compilePredicates(operand: Value): Predicate[] {
  if (isRegex(operand)) return [regexPredicate(operand)];
  return isOperatorDoc(operand) ? compileOperators(operand, nested) : [equals(operand)];
}

/** Whether it is operators, as `{ $gt: 1 }`, and no value. */
export function isOperatorDoc(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  for (const name in value) return name.startsWith('$') && !isDBRef(value);
  return false;
}

/** A whole reference, which is a value; a `$ref` without `$id` would be an operator, and there is none of that name. */
const isDBRef = ({ $ref, $id }: Doc): boolean => typeof $ref === 'string' && $id !== undefined;

/** What operators need of this module, handed over because the two call each other. */
const nested = { filter: (filter: Doc): Matcher => compileFilter(filter), predicates: compilePredicates };

function compileLogical(name: string, operand: Value, variables: Variables | undefined): Matcher[] {
  switch (name) {
    case '$and':
      return clauses(name, operand, variables);
    case '$or': {
      const options = clauses(name, operand, variables);
      return [(doc) => options.some((matches) => matches(doc))];
    }
    case '$nor': {
      const options = clauses(name, operand, variables);
      return [(doc) => !options.some((matches) => matches(doc))];
    }
    case '$expr': {
      const evaluate = compileExpression(operand);
      return [(doc) => truthy(evaluate(doc, variables))];
    }
    case '$comment':
      return [];
    case '$where':
      throw new CommandError('BadValue', '$where is not supported: this server runs no JavaScript');
    case '$text':
      throw new CommandError('IndexNotFound', 'text index required for $text query: this server has no text indexes');
    case '$jsonSchema':
      return [compileJsonSchema(operand)];
    default:
      throw new CommandError(
        'BadValue',
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function clauses(name: string, operand: Value, variables: Variables | undefined): Matcher[] {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', `${name} argument must be an array`);
  if (operand.length === 0) throw new CommandError('BadValue', `${name} argument must be a non-empty array`);
  return operand.map((clause) => {
    if (!isDoc(clause)) throw new CommandError('BadValue', `${name} argument's entries must be objects`);
    return compileFilter(clause, variables);
  });
}
