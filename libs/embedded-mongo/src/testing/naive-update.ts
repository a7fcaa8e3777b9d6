import { isDoc, type Doc, type Value } from '../bson/value';
import { matchesFilter } from './naive-filter';
import { naiveCompare } from './naive-order';

/** MongoDB would refuse the update. */
export class Refused extends Error {}

type Change = (old: Value | undefined) => Value | undefined;

const refuse = (why: string): never => {
  throw new Refused(why);
};

const same = (a: Value | undefined, b: Value | undefined): boolean =>
  a !== undefined && b !== undefined && naiveCompare(a, b) === 0;

/** MongoDB's update operators written the slow and obvious way: a new document of the old one. */
export function updated(doc: Doc, update: Doc): Doc {
  const changes = Object.entries(update).flatMap(([operator, fields]) =>
    Object.entries(fields as Doc).map(([path, operand]) => ({ operator, path, operand })),
  );
  for (const [i, { path }] of changes.entries())
    for (const { path: other } of changes.slice(i + 1))
      if (path === other || path.startsWith(`${other}.`) || other.startsWith(`${path}.`)) refuse('conflict');
  return changes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .reduce((current, { operator, path, operand }) => {
      const creates = !['$unset', '$pull', '$pullAll', '$pop'].includes(operator);
      return changed(current, path.split('.'), changeOf(operator, operand), creates) as Doc;
    }, doc);
}

/** The value with a change made at a path in it. */
function changed(value: Value, [head, ...rest]: string[], change: Change, creates: boolean): Value {
  const inner = (old: Value | undefined): Value | undefined => {
    if (rest.length === 0) return change(old);
    if (old !== undefined) return changed(old, rest, change, creates);
    return creates ? changed({}, rest, change, creates) : undefined;
  };
  if (Array.isArray(value)) {
    if (!/^\d+$/.test(head!)) return creates ? refuse('not viable') : value;
    const index = Number(head);
    if (index >= value.length && !creates) return value;
    const next = inner(value[index]);
    const items = [...value];
    while (items.length < index) items.push(null);
    items[index] = next ?? null;
    return items;
  }
  if (!isDoc(value)) return creates ? refuse('not viable') : value;
  const next = inner(value[head!]);
  const { [head!]: _old, ...others } = value;
  if (next === undefined) return others;
  return head! in value
    ? Object.fromEntries(Object.entries(value).map(([n, v]) => [n, n === head ? next : v]))
    : { ...value, [head!]: next };
}

function changeOf(operator: string, operand: Value): Change {
  switch (operator) {
    case '$set':
      return () => operand;
    case '$unset':
      return () => undefined;
    case '$inc':
      return (old) => number(old === undefined ? 0 : old) + (operand as number);
    case '$mul':
      return (old) => number(old === undefined ? 0 : old) * (operand as number) + 0; // integers have no -0
    case '$min':
      return (old) => (old === undefined || naiveCompare(operand, old) < 0 ? operand : old);
    case '$max':
      return (old) => (old === undefined || naiveCompare(operand, old) > 0 ? operand : old);
    case '$pop':
      return (old) => (old === undefined ? old : operand === 1 ? list(old).slice(0, -1) : list(old).slice(1));
    case '$push':
      return (old) => pushed(list(old === undefined ? [] : old), operand);
    case '$addToSet':
      return (old) => each(operand).reduce<Value[]>((items, item) => (items.some((other) => same(other, item)) ? items : [...items, item]), list(old === undefined ? [] : old));
    case '$pullAll':
      return (old) => old === undefined ? old : list(old).filter((item) => !(operand as Value[]).some((gone) => same(gone, item)));
    default:
      return (old) => (old === undefined ? old : list(old).filter((item) => !pulls(item, operand)));
  } // prettier-ignore
}

const number = (value: Value): number => (typeof value === 'number' ? value : refuse('no number'));
const list = (value: Value): Value[] => (Array.isArray(value) ? value : refuse('no array'));
const each = (operand: Value): Value[] => (isDoc(operand) && operand.$each ? (operand.$each as Value[]) : [operand]);

function pushed(items: Value[], operand: Value): Value[] {
  const { $position = items.length, $slice, $sort } = (isDoc(operand) && operand.$each ? operand : {}) as Record<string, number>;
  const all = [...items.slice(0, $position), ...each(operand), ...items.slice($position)];
  if ($sort) all.sort((a, b) => naiveCompare(a, b) * $sort);
  if ($slice === undefined) return all;
  return $slice >= 0 ? all.slice(0, $slice) : all.slice($slice);
} // prettier-ignore

const pulls = (item: Value, operand: Value): boolean => {
  if (!isDoc(operand)) return same(item, operand);
  if (Object.keys(operand)[0]?.startsWith('$')) return matchesFilter({ item }, { item: operand });
  return isDoc(item) && matchesFilter(item, operand);
};
