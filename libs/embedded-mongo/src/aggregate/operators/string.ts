import { type BSONSymbol } from 'bson';
import { CommandError } from '../../command-error';
import { type ErrorName } from '../../error-codes';
import { compareStrings } from '../../bson/compare';
import { typeName } from '../../bson/type-name';
import { bsonClass, isNil, type Value } from '../../bson/value';
import { integer } from './array';
import { toText } from './conversion';
import { type CompileOperator } from '../expression';
import { fixed, variadic } from './operand';

function text(value: Value | undefined, name: string, code: ErrorName): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && bsonClass(value) === 'BSONSymbol')
    return (value as BSONSymbol).value;
  throw new CommandError(code, `${name} requires a string argument, found: ${typeName(value)}`);
}

/** Null and missing count as the empty string here. */
const loose = (value: Value | undefined): string => (isNil(value) ? '' : (toText(value) ?? ''));

const substringBytes = fixed(3, ([value, start, length], name) => {
  const bytes = Buffer.from(loose(value));
  const from = integer(start, `${name} start`, 'Location16034');
  const count = integer(length, `${name} length`, 'Location16035');
  if (from < 0) throw new CommandError('Location50752', `${name}: starting index must be non-negative`);
  const end = count < 0 ? bytes.length : Math.min(bytes.length, from + count);
  const continues = (at: number): boolean => at < bytes.length && (bytes[at]! & 0xc0) === 0x80;
  if (continues(from))
    throw new CommandError('Location28656', `${name}: Invalid range, starting index is a UTF-8 continuation byte.`);
  if (continues(end))
    throw new CommandError(
      'Location28657',
      `${name}: Invalid range, ending index is in the middle of a UTF-8 character.`,
    );
  return bytes.toString('utf8', Math.min(from, bytes.length), end);
});

const substringPoints = fixed(3, ([value, start, length], name) => {
  const from = integer(start, `${name} start`, 'Location34450');
  const count = integer(length, `${name} length`, 'Location34452');
  if (from < 0 || count < 0) throw new CommandError('Location34454', `${name}: index and length must be non-negative`);
  return [...loose(value)].slice(from, from + count).join('');
});

const indexOfPoints = fixed(
  2,
  ([value, wanted, from = 0, to], name) => {
    if (isNil(value)) return null;
    const points = [...text(value, name, 'Location40091')];
    const sought = [...text(wanted, name, 'Location40092')];
    const end = to === undefined ? points.length : Math.min(points.length, integer(to, name, 'Location40096'));
    for (let i = integer(from, name, 'Location40096'); i + sought.length <= end; i++) {
      if (sought.every((point, j) => points[i + j] === point)) return i;
    }
    return -1;
  },
  4,
);

const concat = variadic((values, name) =>
  values.some(isNil) ? null : values.map((value) => text(value, name, 'Location16702')).join(''),
);

export const stringOperators: Record<string, CompileOperator> = {
  $concat: concat,
  $toLower: fixed(1, ([value]) => loose(value).replace(/[A-Z]+/g, (upper) => upper.toLowerCase())),
  $toUpper: fixed(1, ([value]) => loose(value).replace(/[a-z]+/g, (lower) => lower.toUpperCase())),
  $strLenBytes: fixed(1, ([value], name) => Buffer.byteLength(text(value, name, 'Location34473'))),
  $strLenCP: fixed(1, ([value], name) => [...text(value, name, 'Location34471')].length),
  $substr: substringBytes,
  $substrBytes: substringBytes,
  $substrCP: substringPoints,
  $indexOfCP: indexOfPoints,
  $strcasecmp: fixed(2, ([a, b]) => Math.sign(compareStrings(loose(a).toUpperCase(), loose(b).toUpperCase()))),
};
