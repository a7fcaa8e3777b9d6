import { type TSchema } from '@sinclair/typebox';

type Json = Record<string, unknown>;

/**
 * The schemas of the document: every schema with a title becomes a component and is referred to. Answers are left open to new fields
 * (v1 may add some); bodies are not (an unknown field is refused).
 */
export function componentSchemas() {
  const components: Json = {};

  const publishEach = (schemas: Json, isAnswer: boolean): Json =>
    Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, publish(each, isAnswer)]));

  const publish = (schema: unknown, isAnswer: boolean): unknown => {
    if (Array.isArray(schema)) return schema.map((each) => publish(each, isAnswer));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { title, additionalProperties, properties, ...rest } = schema as Json;
    const made = publishEach(rest, isAnswer);
    // Names of fields are no keywords: a field may well be called `title`.
    if (properties) made['properties'] = publishEach(properties as Json, isAnswer);
    if (additionalProperties === false && !isAnswer) made['additionalProperties'] = false;
    if (typeof title !== 'string') return made;
    components[title] = { title, ...made };
    return { $ref: `#/components/schemas/${title}` };
  };

  return {
    components,
    ofBody: (schema: TSchema): unknown => publish(schema, false),
    ofAnswer: (schema: TSchema): unknown => publish(schema, true),
  };
}

/** An example of what a schema describes, made of the examples of its parts. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, type, properties, items, anyOf, enum: words } = schema as Json & { examples?: unknown[] };
  if (examples?.length) return examples[0];
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties as Record<string, TSchema>)
        // What has no example on purpose excludes something that has one.
        .filter(([, each]) => each['examples']?.length !== 0)
        .map(([name, each]) => [name, exampleOf(each)]),
    );
  if (type === 'array') return [exampleOf(items as TSchema)];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as TSchema);
  if (Array.isArray(words)) return words[0];
  throw new Error(`no example can be made of ${JSON.stringify(schema)}`);
}
