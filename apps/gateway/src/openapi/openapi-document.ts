import { Type } from '@sinclair/typebox';
import { isOpen, type Operation, type OpenOperation, type Route } from '../routes/route';
import { VERSION } from '../version';
import { componentSchemas, exampleOf } from './component-schemas';
import { warnings } from '../schemas/warning';
import { errorCodesOf, errorResponses, errorSchemas, transportResponses, transportStatuses } from './error-responses';
import { dryRun, headers, idempotencyKey, introduction, tags, testScenario } from './shared-parts';
import { type Stream } from '../streams/stream';
import { codeSamples } from './code-samples';
import { streamOperation } from './stream-operations';
import { webhooks } from './webhooks';

type Json = Record<string, unknown>;
type Schemas = ReturnType<typeof componentSchemas>;

/** The OpenAPI 3.1 document of the route table and of what can be followed. */
export function openapiDocument(routes: readonly Route[], streams: readonly Stream[], publicUrl: string): Json {
  const schemas = componentSchemas();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operation = isOpen(route) ? openOperation(route, schemas) : keyedOperation(route, schemas);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  for (const stream of streams) paths[stream.path] = { get: streamOperation(stream, schemas), ...paths[stream.path] };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Invoicing API',
      version: VERSION,
      summary: 'Customers, products, invoices, subscriptions and hosted checkouts.',
      description: introduction,
      // Neither an SPDX identifier nor an address: there is no public licence to point to.
      license: { name: 'Proprietary licence' },
    },
    servers: [{ url: publicUrl, description: 'This service' }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    webhooks: webhooks(schemas),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ik_live_… or ik_test_…',
          description: 'An API key of the organisation.',
        },
      },
      parameters: { IdempotencyKey: idempotencyKey, DryRun: dryRun, TestScenario: testScenario },
      headers,
      responses: transportResponses,
      schemas: { ...schemas.components, ...errorSchemas },
    },
  };
}

function keyedOperation(route: Operation, schemas: Schemas): Json {
  const { body, data, idempotent, scope, platform } = route;
  const successHeaders = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
  if (idempotent) successHeaders.push('Idempotent-Replayed');
  const wrapped = Type.Object({ data, ...(body && { warnings: Type.Optional(warnings) }) });
  return {
    ...describe(route),
    description: [
      route.description,
      scope ? `Scope: \`${scope}\`${platform ? ' (platform keys only)' : ''}.` : 'Needs no scope.',
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(scope && { 'x-scope': scope }),
    'x-codeSamples': codeSamples(route, false, body && exampleOf(body)),
    ...(idempotent && {
      parameters: ['IdempotencyKey', 'DryRun', 'TestScenario'].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
    }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.ofBody(body), example: exampleOf(body) } },
      },
    }),
    responses: {
      [body ? '201' : '200']: {
        description: successOf(route),
        headers: refs(successHeaders),
        content: { 'application/json': { schema: schemas.ofAnswer(wrapped), example: exampleOf(wrapped) } },
      },
      ...(body && { '200': dryRunAnswer(route, schemas, successHeaders) }),
      ...errorResponses(errorCodesOf(route), body),
      ...transportStatuses,
    },
  };
}

/** What the request would be answered, and what of it is made up. */
function dryRunAnswer(
  { body, data, examples, foreseen }: Operation,
  schemas: Schemas,
  successHeaders: readonly string[],
): Json {
  const tried = Type.Object({
    data,
    warnings: Type.Optional(warnings),
    ...foreseen,
    dryRun: Type.Literal(true, { examples: [true] }),
    examples: Type.Array(Type.String(), {
      description: 'JSON Pointers to what is made up: the real answer has others there.',
      examples: [examples(exampleOf(body!) as never).map((name) => `/data/${name}`)],
    }),
  });
  return {
    description: 'With `Dry-Run: true`: what the request would be answered. Nothing was created.',
    headers: refs([...successHeaders.filter((name) => name !== 'Idempotent-Replayed'), 'Dry-Run']),
    content: { 'application/json': { schema: schemas.ofAnswer(tried), example: exampleOf(tried) } },
  };
}

function openOperation(route: OpenOperation, schemas: Schemas): Json {
  const { answerSchema, statuses } = route;
  const answer = {
    description: route.summary,
    headers: refs(['X-Request-Id']),
    content: {
      'application/json': answerSchema
        ? { schema: schemas.ofAnswer(answerSchema), example: exampleOf(answerSchema) }
        : { schema: { type: 'object', description: 'This document.' } },
    },
  };
  return {
    ...describe(route),
    security: [],
    'x-codeSamples': codeSamples(route, true),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [String(status), answer])),
      ...errorResponses(errorCodesOf(route)),
      ...transportStatuses,
    },
  };
}

function successOf({ body, data }: Operation): string {
  if (body) return 'Created.';
  const { maxItems, description } = data as { maxItems?: number; description?: string };
  return maxItems ? `At most ${maxItems}, newest first. There are no further pages.` : (description ?? '');
}

const describe = ({ operationId, tag, summary, description }: Route): Json => ({
  operationId,
  tags: [tag],
  summary,
  ...(description && { description }),
});

const refs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
