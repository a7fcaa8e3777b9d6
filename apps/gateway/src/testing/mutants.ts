import { type TSchema } from '@sinclair/typebox';
import { exampleOf } from '../openapi/component-schemas';
import { pointerToken } from '../edge/bound-body';

/** A body that breaks one rule of its schema, and where. */
export interface Mutant {
  readonly name: string;
  readonly body: unknown;
  /** The JSON Pointer that the answer must name. */
  readonly path: string;
}

type Json = Record<string, unknown>;

/** Every way to break one rule of a schema in an otherwise good body: missing, wrong type, out of bounds, unknown, hostile. */
export function mutantsOf(schema: TSchema, good: unknown): Mutant[] {
  const mutants: Mutant[] = [];
  visit(schema, good, '', (replace) => replace);

  function visit(part: Json, value: unknown, path: string, rebuild: (value: unknown) => unknown): void {
    const add = (name: string, broken: unknown, at = path): void => {
      mutants.push({ name: `${path || 'the body'} ${name}`, body: rebuild(broken), path: at });
    };
    for (const wrong of [null, 'text', 1.5, true, [], {}].filter((each) => !fitsType(part['type'], each)))
      add(`as ${JSON.stringify(wrong)}`, wrong);
    if (part['type'] === 'string') {
      add('as an operator object', { $gt: '' }, `${path}/$gt`);
      add('as a prototype', JSON.parse('{"__proto__":{"admin":true}}'), `${path}/__proto__`);
      add('with a control character', `a\u0000b`);
      add('with half a surrogate pair', 'a\ud800');
      add('as __proto__', '__proto__');
      if (part['minLength']) add('empty', '');
      if (typeof part['maxLength'] === 'number') add('too long', 'x'.repeat(part['maxLength'] + 1));
      if (part['enum']) add('with an unknown word', 'nonsense');
      if (part['format'] === 'uuid') add('with a malformed id', '0f8fad5b-d9cb-469f-a165-7086772895');
      if (part['format'] === 'date') {
        add('with an impossible date', '2026-02-30');
        add('with another date format', '01-03-2026');
      }
      if (part['format'] === 'email') for (const email of ['a@b', 'a..b@example.nl']) add(email, email);
      if (part['format'] === 'country-code') for (const code of ['EU', 'ZZ', 'nl']) add(code, code);
      if (part['format'] === 'uri')
        for (const uri of ['javascript:alert(1)', 'https://a:b@c.example/', '/x']) add(uri, uri);
      if (part['pattern'] || part['format'] === 'email') add('on two lines', 'a@b\r\nBcc: c@d');
    }
    if (part['type'] === 'integer' || part['type'] === 'number') {
      if (typeof part['minimum'] === 'number') add('too small', part['minimum'] < -1e15 ? -1e300 : part['minimum'] - 1);
      if (typeof part['maximum'] === 'number') add('too large', part['maximum'] > 1e15 ? 1e300 : part['maximum'] + 1);
      if (part['enum']) add('with an unknown number', 1234);
      if (part['x-decimals']) add('with too many decimals', 0.1234567);
    }
    if (part['type'] === 'array') {
      const items = value as unknown[];
      if (part['minItems']) add('empty', []);
      if (typeof part['maxItems'] === 'number')
        add(
          'too many',
          Array.from({ length: part['maxItems'] + 1 }, () => items[0]),
        );
      if (part['uniqueItems']) add('twice the same', [items[0], items[0]]);
      visit(part['items'] as Json, items[0], `${path}/0`, (item) => rebuild([item, ...items.slice(1)]));
    }
    if (part['type'] === 'object') {
      // What the example of the body goes without has one of its own.
      const fields = (value ?? exampleOf(part as TSchema)) as Json;
      for (const name of (part['required'] ?? []) as string[]) {
        const { [name]: _gone, ...rest } = fields;
        add(`without ${name}`, rest, `${path}/${name}`);
      }
      for (const name of ['unknownField', 'id', 'status', 'total_incl', 'organizationId', 'a/b~c'])
        add(`with ${name}`, { ...fields, [name]: 'x' }, `${path}/${pointerToken(name)}`);
      for (const text of ['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"$where":"1"}']) {
        const hostile = JSON.parse(text) as Json;
        const [name = ''] = Object.keys(hostile);
        const body = Object.assign(Object.create(null) as Json, fields);
        Object.defineProperty(body, name, { value: hostile[name], enumerable: true });
        add(`with ${name}`, body, `${path}/${name}`);
      }
      for (const [name, each] of Object.entries(part['properties'] as Record<string, Json>))
        visit(each, fields[name], `${path}/${name}`, (field) => rebuild({ ...fields, [name]: field }));
    }
  }
  return mutants;
}

function fitsType(type: unknown, value: unknown): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (value === null) return false;
  return typeof value === type;
}
