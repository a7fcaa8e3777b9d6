/** A JSON Schema, as far as the API's own document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: PostOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface PostOperation {
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

export interface BodyField {
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
}

export interface Creation {
  readonly path: string;
  /** Every field that the document knows, with its own example. */
  readonly example: unknown;
  /** The body itself and every field in it, items of lists as their first. */
  readonly fields: readonly BodyField[];
}

/** Every POST of an OpenAPI document, so that a field that is added is tested, too. */
export function creationsOf(document: Document): Creation[] {
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : resolve(document.components.schemas[name] as Schema);
  };
  const exampleOf = (given: Schema): unknown => {
    const schema = resolve(given);
    if (schema.properties)
      return Object.fromEntries(
        Object.entries(schema.properties)
          // What has no example on purpose excludes something that has one.
          .filter(([, each]) => resolve(each).examples?.length !== 0)
          .map(([name, each]) => [name, exampleOf(each)]),
      );
    return schema.examples?.[0] ?? (schema.items ? [exampleOf(schema.items)] : undefined);
  };
  const fieldsOf = (given: Schema, path: BodyField['path']): BodyField[] => {
    const schema = resolve(given);
    const inside = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => fieldsOf(each, [...path, name]));
    const items = schema.items ? fieldsOf(schema.items, [...path, 0]) : [];
    return [{ path, schema }, ...inside, ...items];
  };
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    if (!post) return [];
    const { schema } = post.requestBody.content['application/json'];
    return [{ path, example: exampleOf(schema), fields: fieldsOf(schema, []) }];
  });
}

/** `body` with another value at `path`; the original stays. */
export function withField(body: unknown, path: BodyField['path'], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const copy = (Array.isArray(body) ? [...(body as unknown[])] : { ...(body as object) }) as Record<string, unknown>;
  copy[name] = withField(copy[name], rest, value);
  return copy;
}
