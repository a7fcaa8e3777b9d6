import { CommandError } from '../command-error';
import { describe } from './describe';
import { isDoc, type Doc, type Value } from './value';

/** By strength: what of two texts must differ for them to be different. */
const sensitivity: Record<number, Intl.CollatorOptions['sensitivity']> = { 1: 'base', 2: 'accent', 3: 'variant' };

const taken = new Set(['locale', 'strength', 'caseLevel', 'caseFirst', 'numericOrdering', 'alternate', 'version']);
/** What MongoDB's defaults say of options that are not supported: given so they change nothing. */
const defaults: Doc = { maxVariable: 'punct', normalization: false, backwards: false };

/**
 * How a command compares text: MongoDB's collations of strength 1 to 3, by Intl.Collator, which like MongoDB is ICU. One
 * command has one of its own, since what it knows of texts it met grows with them.
 */
export class Collation {
  private readonly collator: Intl.Collator;
  /** The texts met so far in order, of equal ones the first, each with a label that sorts as they do. */
  private readonly texts: string[] = [];
  private readonly labels: string[] = [];
  private readonly known = new Map<string, string>();

  constructor(spec: Doc) {
    const refused = Object.keys(spec).find((name) => !taken.has(name) && spec[name] !== defaults[name]);
    if (refused) throw unsupported(refused);
    const { locale, strength = 3, caseLevel = false, caseFirst = 'off', numericOrdering = false, alternate } = spec;
    const level = sensitivity[Number(strength)];
    if (!level) throw unsupported(`strength ${describe(strength)}`);
    this.collator = new Intl.Collator(tagOf(locale, spec), {
      sensitivity: caseLevel === true && level === 'base' ? 'case' : level,
      numeric: numericOrdering === true,
      caseFirst: caseFirst === 'off' ? 'false' : (caseFirst as 'upper' | 'lower'),
      ignorePunctuation: alternate === 'shifted',
    });
  }

  compare(a: string, b: string): number {
    return this.collator.compare(a, b);
  }

  /** Labels compare by code unit as their texts compare, and are equal for texts that are: Intl.Collator gives no sort keys. */
  label(text: string): string {
    let label = this.known.get(text);
    if (label !== undefined) return label;
    let low = 0;
    for (let high = this.texts.length; low < high;) {
      const middle = (low + high) >> 1;
      const order = this.collator.compare(this.texts[middle]!, text);
      if (order === 0) return this.remember(text, this.labels[middle]!);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    label = between(this.labels[low - 1], this.labels[low]);
    this.texts.splice(low, 0, text);
    this.labels.splice(low, 0, label);
    return this.remember(text, label);
  }

  private remember(text: string, label: string): string {
    this.known.set(text, label);
    return label;
  }
}

const unsupported = (what: string): CommandError =>
  new CommandError('CommandNotSupported', `collation with ${what} is not supported by this server`);

function tagOf(locale: Value | undefined, spec: Doc): string {
  const invalid = new CommandError('BadValue', `Field 'locale' is invalid in: ${describe(spec)}`);
  if (typeof locale !== 'string') throw invalid;
  // ICU's names: `de_AT@collation=phonebook`.
  const [name = '', variant] = locale.replaceAll('_', '-').split('@collation=');
  const tag = variant === undefined ? name : `${name}-u-co-${variant.slice(0, 8)}`;
  try {
    if (Intl.Collator.supportedLocalesOf(tag).length > 0) return tag;
  } catch {
    throw invalid; // no language tag at all
  }
  throw invalid;
}

/** Bytes of a label's whole part, as characters; a step leaves room for 65535 between two that were met in order. */
const wholeBytes = 6;
const step = 65_536;
const middle = 2 ** 47;

const whole = (value: number): string => {
  const bytes = Buffer.alloc(wholeBytes);
  bytes.writeUIntBE(value, 0, wholeBytes);
  return bytes.toString('latin1');
};
const wholeOf = (label: string): number => Buffer.from(label.slice(0, wholeBytes), 'latin1').readUIntBE(0, wholeBytes);

/** A label strictly between two; none ends with a zero after its whole part, so there is always room. */
function between(low: string | undefined, high: string | undefined): string {
  if (low === undefined && high === undefined) return whole(middle);
  if (high === undefined) return whole(wholeOf(low!) + step);
  if (low === undefined) return whole(wholeOf(high) - step);
  let label = '';
  let bounded = true;
  for (let i = 0; ; i++) {
    const from = i < low.length ? low.charCodeAt(i) : 0;
    const to = bounded && i < high.length ? high.charCodeAt(i) : 256;
    if (to - from > 1) return (label + String.fromCharCode((from + to) >> 1)).padEnd(wholeBytes, '\x80');
    label += String.fromCharCode(from);
    if (to !== from) bounded = false;
  }
}

let active: Collation | undefined;

/** What the comparisons of the moment go by; undefined: code points. */
export const activeCollation = (): Collation | undefined => active;

/** Runs something that does not wait under a collation, or, without one, by code points. */
export function collated<T>(collation: Collation | undefined, work: () => T): T {
  const before = active;
  active = collation;
  try {
    return work();
  } finally {
    active = before;
  }
}

/** A stream each of whose steps runs under the collation. */
export function* collatedStream<T, R>(collation: Collation, stream: Iterator<T, R>): Generator<T, R> {
  try {
    for (;;) {
      const next = collated(collation, () => stream.next());
      if (next.done) return next.value;
      yield next.value;
    }
  } finally {
    stream.return?.();
  }
}

/** A collation as a command gives it; the simple one is none. */
export function parseCollation(given: Value | undefined): Collation | undefined {
  if (!isDoc(given) || Object.keys(given).length === 0 || given.locale === 'simple') return undefined;
  return new Collation(given);
}

/** Whether a collation could matter to comparisons with a value. */
export function holdsText(value: Value): boolean {
  if (typeof value === 'string') return true;
  if (Array.isArray(value)) return value.some(holdsText);
  if (isDoc(value)) return Object.values(value).some(holdsText);
  return typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'BSONSymbol';
}
