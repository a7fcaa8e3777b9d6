import { valuesEqual } from '../bson/compare';
import { compilePredicates } from '../query/compile-filter';
import { type Index } from '../storage/collection';
import { conditionsOf, type Condition, type Conditions } from './conditions';
import { boundsOf } from './intervals';

/** Whether every match of the query is in the partial index, as far as the query itself shows it. */
export function impliesPartial(query: Conditions, { partial }: Index): boolean {
  const wanted = conditionsOf(partial!.filter);
  if (wanted.rest) return false;
  return (
    wanted.all.every((condition) => query.all.some((given) => implies(given, condition))) &&
    wanted.ors.every((branches) =>
      branches.some((branch) => {
        const option = conditionsOf(branch);
        return (
          !option.rest &&
          option.ors.length === 0 &&
          option.all.every((c) => query.all.some((given) => implies(given, c)))
        );
      }),
    )
  );
}

function implies(given: Condition, wanted: Condition): boolean {
  if (given.path !== wanted.path) return false;
  const predicates = compilePredicates({ [wanted.operator]: wanted.operand });
  const passes = (value: Condition['operand']): boolean =>
    !Array.isArray(value) && value !== null && predicates.every((predicate) => predicate.atValue(value));
  if (given.operator === '$eq') {
    return passes(given.operand) || (given.operand === null && wanted.operator === '$eq' && wanted.operand === null);
  }
  if (given.operator === '$in' && Array.isArray(given.operand)) return given.operand.every(passes);
  const inner = boundsOf(given);
  if (wanted.operator === '$exists') return inner?.excludesMissing ?? given.operator === '$type';
  if (given.operator === wanted.operator && valuesEqual(given.operand, wanted.operand)) return true;
  const outer = boundsOf(wanted);
  if (!inner || !outer?.exact) return false;
  return inner.intervals.every(({ low, high }) =>
    outer.intervals.some((o) => Buffer.compare(o.low, low) <= 0 && Buffer.compare(high, o.high) <= 0),
  );
}
