import fc from 'fast-check';

type Json = Record<string, unknown>;

/** Values that an id may take: some that exist, some that do not. */
export type IdArbitrary = fc.Arbitrary<string>;

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom<unknown>('__proto__', { $gt: '' }, -0, 1e308, 9007199254740993, '2026-02-30', '\ud800', [], {}),
);

/** Bodies that mostly fit a schema of the document, and now and then do not, anywhere. */
export function arbitraryOf(schema: Json, components: Json, ids: IdArbitrary, oddWeight = 1): fc.Arbitrary<unknown> {
  const visit = (part: Json): fc.Arbitrary<unknown> =>
    oddWeight === 0
      ? fitting(part)
      : fc.oneof({ weight: 40, arbitrary: fitting(part) }, { weight: oddWeight, arbitrary: odd });

  const fitting = (part: Json): fc.Arbitrary<unknown> => {
    if (typeof part['$ref'] === 'string') return visit(components[part['$ref'].split('/').at(-1) ?? ''] as Json);
    if (Array.isArray(part['enum'])) return fc.constantFrom<unknown>(...(part['enum'] as unknown[]));
    switch (part['type']) {
      case 'string':
        return text(part);
      case 'integer':
        return fc.oneof(
          fc.integer({ min: Number(part['minimum'] ?? -1e6), max: Number(part['maximum'] ?? 1e6) }),
          fc.integer({ min: 1, max: 720 }),
        );
      case 'number':
        return fc.oneof(
          fc.integer({ min: -1_000_000, max: 1_000_000 }).map((each) => each / 1000),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        );
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(visit(part['items'] as Json), { minLength: Number(part['minItems'] ?? 0), maxLength: 5 });
      default:
        return object(part);
    }
  };

  const text = (part: Json): fc.Arbitrary<unknown> => {
    if (part['format'] === 'uuid') return ids;
    if (part['format'] === 'date')
      return fc
        .date({ min: new Date('1995-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
        .map((each) => each.toISOString().slice(0, 10));
    if (part['format'] === 'email') return fc.oneof(fc.emailAddress(), fc.constant(''));
    if (part['format'] === 'country-code') return fc.constantFrom('NL', 'BE', 'DE', '');
    if (part['format'] === 'uri') return fc.oneof(fc.webUrl(), fc.constant('http://127.0.0.1:9/done'));
    const examples = (part['examples'] ?? []) as unknown[];
    const maxLength = Math.min(Number(part['maxLength'] ?? 50), 60);
    return fc.oneof(fc.constantFrom<unknown>(...examples, 'é€𝄞', ''), fc.string({ unit: 'grapheme', maxLength }));
  };

  const object = (part: Json): fc.Arbitrary<unknown> => {
    const properties = (part['properties'] ?? {}) as Record<string, Json>;
    const record = fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, visit(each)])),
      { requiredKeys: (part['required'] ?? []) as string[] },
    );
    const spoiled = fc
      .tuple(record, fc.constantFrom('extra', '__proto__', '$where', 'id'), odd)
      .map(([fields, name, value]) => Object.defineProperty({ ...fields }, name, { value, enumerable: true }));
    return oddWeight === 0
      ? record
      : fc.oneof({ weight: 30, arbitrary: record }, { weight: oddWeight, arbitrary: spoiled });
  };

  return visit(schema);
}
