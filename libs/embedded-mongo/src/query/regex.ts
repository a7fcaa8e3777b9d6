import { type BSONRegExp } from 'bson';
import { CommandError } from '../command-error';
import { bsonClass, type Value } from '../bson/value';

/** Whether it is a BSON regular expression. */
export const isRegex = (value: Value | undefined): value is BSONRegExp =>
  typeof value === 'object' && value !== null && bsonClass(value) === 'BSONRegExp';

/** PCRE as far as JavaScript's own engine agrees with it; what it cannot express is refused, not approximated. */
export function compileRegex(pattern: string, options: string): RegExp {
  let flags = 'u';
  let source = pattern;
  for (const option of options) {
    if (option === 'i' || option === 'm' || option === 's') flags += option;
    else if (option === 'x') source = withoutComments(source);
    else if (option !== 'u') throw new CommandError('Location51108', `invalid flag in regex options: ${option}`);
  }
  const inline = /^\(\?([ims]+)\)/.exec(source);
  if (inline) {
    source = source.slice(inline[0].length);
    for (const flag of inline[1]!) if (!flags.includes(flag)) flags += flag;
  }
  return build(source, flags);
}

function build(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    // The u flag also forbids harmless escapes such as `\-` or `\_`, which PCRE allows.
    try {
      return new RegExp(source, flags.replace('u', ''));
    } catch (error) {
      throw new CommandError('Location51091', `Regular expression is invalid: ${(error as Error).message}`);
    }
  }
}

const withoutComments = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]])*\]|\s+|#.*$/gm, (token) => (/^[\s#]/.test(token) ? '' : token));

/** The literal that every match must begin with, when the pattern is anchored and case-sensitive. */
export function literalPrefix(pattern: string, options: string): string {
  if (/[imx]/.test(options) || !pattern.startsWith('^') || pattern.includes('|')) return '';
  const literal = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^a-zA-Z0-9])*)/.exec(pattern)?.[1] ?? '';
  const rest = pattern.slice(1 + literal.length);
  // A quantifier belongs to the last character, which may then be absent.
  const kept = /^[*?{]/.test(rest) ? literal.replace(/(?:\\.|[\s\S])$/u, '') : literal;
  return kept.replace(/\\(.)/gu, '$1');
}
