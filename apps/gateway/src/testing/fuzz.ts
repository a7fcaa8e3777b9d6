import { Ajv } from 'ajv';
import fc from 'fast-check';
import { Pool } from 'undici';
import { formats } from '../schemas/formats';
import { arbitraryOf } from './arbitrary-body';

type Json = Record<string, unknown>;
type Document = { paths: Record<string, Record<string, Json>>; components: { schemas: Json } };

export interface FuzzTarget {
  readonly url: string;
  /** Good ones and bad ones. */
  readonly keys: readonly string[];
  /** Ids that exist for some of the keys. */
  readonly ids: readonly string[];
}

interface FuzzRequest {
  readonly path: string;
  readonly method: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

const BATCH = 50;

/** Sends requests made from the document; each answer must be one that the document has for that operation, and no 500. The same seed makes the same requests. */
export async function fuzz(
  { url, keys, ids }: FuzzTarget,
  requests: number,
  seed: number,
): Promise<Record<string, number>> {
  const pool = new Pool(url, { connections: 16, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const document = (await (await pool.request({ path: '/api/v1/openapi', method: 'GET' })).body.json()) as Document;
  const check = answerChecker(document);
  const statuses: Record<string, number> = {};
  const request = arbitraryRequest(document, keys, ids);

  const send = async ({ path, method, query, headers, body }: FuzzRequest): Promise<void> => {
    const answer = await pool.request({ path: path + query, method: method as 'GET', headers, body: body ?? null });
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    // It goes on for as long as somebody listens.
    if (isStream) answer.body.on('error', () => undefined).destroy();
    const text = isStream ? '' : await answer.body.text();
    statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    const fault = check(path, method, answer.statusCode, isStream ? undefined : text);
    if (fault) throw new Error(`${method} ${path} → ${answer.statusCode} ${text.slice(0, 300)}: ${fault}`);
  };
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        await Promise.all(batch.map(send));
      }),
      { numRuns: Math.ceil(requests / BATCH), endOnFailure: true, seed },
    );
  } finally {
    await pool.close();
  }
  return statuses;
}

function arbitraryRequest(
  document: Document,
  keys: readonly string[],
  ids: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const id = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(...ids.map((each) => each.toUpperCase())) },
  );
  const header = (value: fc.Arbitrary<string>) => fc.option(value, { nil: undefined, freq: 2 });
  return fc.oneof(
    ...operations.map(({ path, method, operation }): fc.WeightedArbitrary<FuzzRequest> => {
      const content = (operation['requestBody'] as Json | undefined)?.['content'] as
        Record<string, { schema: Json }> | undefined;
      const schema = content?.['application/json']?.schema;
      const body = schema
        ? fc.oneof(
            { weight: 20, arbitrary: arbitraryOf(schema, document.components.schemas, id, 0).map(toJson) },
            { weight: 20, arbitrary: arbitraryOf(schema, document.components.schemas, id).map(toJson) },
            { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
          )
        : fc.constant(undefined);
      const arbitrary = fc
        .record({
          key: fc.oneof(
            { weight: 30, arbitrary: fc.constantFrom(...keys) },
            { weight: 1, arbitrary: fc.constantFrom('', 'x', 'ik_live_') },
          ),
          type: fc.oneof(
            { weight: 30, arbitrary: fc.constant('application/json') },
            { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', '') },
          ),
          idempotencyKey: header(
            fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ unit: 'grapheme-ascii', maxLength: 210 })),
          ),
          requestId: header(fc.string({ unit: 'grapheme-ascii', maxLength: 20 })),
          query: fc.constantFrom('', '', '?limit=1', '?__proto__[a]=1&x=%'),
          body,
        })
        .map(({ key, type, idempotencyKey, requestId, query, body: text }): FuzzRequest => ({
          path,
          method,
          query,
          headers: {
            authorization: `Bearer ${key}`,
            ...(text !== undefined && { 'content-type': type }),
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
            ...(requestId !== undefined && { 'x-request-id': requestId }),
          },
          body: text,
        }));
      return { weight: schema ? 4 : 1, arbitrary };
    }),
  );
}

const toJson = (value: unknown): string => JSON.stringify(value) ?? '';

/** A part of the document, or what it refers to. */
function resolved(part: Json | undefined, document: Document): Json | undefined {
  if (typeof part?.['$ref'] !== 'string') return part;
  const path = part['$ref'].split('/').slice(1);
  return path.reduce<Json>((at, name) => at[name] as Json, document);
}

/** What is wrong with an answer by the document, if anything. */
function answerChecker(document: Document) {
  const ajv = new Ajv({
    strict: false,
    formats: Object.fromEntries(Object.entries(formats).map(([name, { fits }]) => [name, fits])),
  });
  ajv.addSchema({ $id: 'document', components: document.components });
  const compiled = new Map<string, ReturnType<Ajv['compile']>>();
  return (path: string, method: string, status: number, text: string | undefined): string | undefined => {
    if (status === 500) return 'a failure of ours';
    const operation = document.paths[path]?.[method.toLowerCase()];
    const response = resolved((operation?.['responses'] as Record<string, Json>)[String(status)], document);
    if (!response) return 'the document has no such status for it';
    if (text === undefined)
      return 'text/event-stream' in (response['content'] as object) ? undefined : 'the document has no stream for it';
    const name = `${method} ${path} ${status}`;
    let validate = compiled.get(name);
    if (!validate) {
      const schema = (response['content'] as Record<string, { schema: Json }>)['application/json']?.schema;
      validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Json);
      compiled.set(name, validate);
    }
    return validate(JSON.parse(text)) ? undefined : ajv.errorsText(validate.errors);
  };
}
