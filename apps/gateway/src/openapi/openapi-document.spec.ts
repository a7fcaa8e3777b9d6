import { Ajv } from 'ajv';
import { httpStatusOfCode, type PublicErrorCode } from '@invoicing/errors';
import { eventTypes } from '@invoicing/rules';
import { compileValidator } from '../edge/validator';
import { operations, routeTable } from '../routes/route-table';
import { streams } from '../streams/stream';
import { exampleOf } from './component-schemas';
import { openapiDocument } from './openapi-document';

interface Json {
  [name: string]: Json;
}
const document = JSON.parse(JSON.stringify(openapiDocument(routeTable, streams, 'https://invoicing.test'))) as Json;

/** The operations of the API document, with their scopes; the table must hold exactly these. */
const CONTRACT = `
GET /api/v1/me -
GET /api/v1/customers customers:read
POST /api/v1/customers customers:write
GET /api/v1/products products:read
POST /api/v1/products products:write
GET /api/v1/invoices invoices:read
POST /api/v1/invoices invoices:write
GET /api/v1/subscriptions subscriptions:read
POST /api/v1/subscriptions subscriptions:write
GET /api/v1/checkouts checkouts:read
POST /api/v1/checkouts checkouts:write
GET /api/v1/sandbox/clock sandbox:read
POST /api/v1/sandbox/clock sandbox:write
POST /api/v1/sandbox/events sandbox:write
GET /api/v1/openapi -
POST /api/v1/credits credits:write
GET /api/health -`.trim();

test('the table holds the operations of the contract, and those of the sandbox', () => {
  const rows = routeTable.map((route) => `${route.method} ${route.path} ${('scope' in route && route.scope) || '-'}`);
  expect(rows.sort()).toEqual(CONTRACT.split('\n').sort());
});

test('the document has every row, every stream and no other', () => {
  const documented = Object.entries(document['paths']!).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const followed = streams.map(({ path }) => `GET ${path}`);
  expect(documented.sort()).toEqual([...routeTable.map(({ method, path }) => `${method} ${path}`), ...followed].sort());
});

test('every field is described and has an example', () => {
  const poor: string[] = [];
  const visit = (schema: Json, at: string): void => {
    for (const [name, field] of Object.entries(schema['properties'] ?? {})) {
      const isComposed =
        '$ref' in field || 'anyOf' in field || 'properties' in field || String(field['type']) === 'array';
      if (!('$ref' in field) && !('description' in field)) poor.push(`${at}.${name} has no description`);
      if (!isComposed && !('examples' in field)) poor.push(`${at}.${name} has no example`);
      visit(field, `${at}.${name}`);
    }
    if (schema['items']) visit(schema['items'], `${at}[]`);
  };
  for (const [name, schema] of Object.entries(document['components']!['schemas']!)) visit(schema, name);
  expect(poor).toEqual([]);
});

test('examples validate', () => {
  for (const { body, data } of operations) {
    if (body) expect(compileValidator(body)(exampleOf(body))).toEqual([]);
    expect(compileValidator(data)(exampleOf(data))).toEqual([]);
  }
});

test('examples can happen: an id means one thing only, an invoice that was e-mailed has no reason why not', () => {
  const schemas = document['components']!['schemas']!;
  const example = (name: string, field = 'id') => schemas[name]!['properties']![field]!['examples']![0];
  const things = ['Organization', 'Profile', 'Key', 'Customer', 'Product', 'Invoice', 'Subscription', 'Checkout'];
  expect(new Set([...things, 'CreditGrant'].map((name) => example(name))).size).toBe(things.length + 1);
  for (const name of ['InvoiceInput', 'SubscriptionInput'])
    expect(example(name, 'customerId')).toBe(example('Customer'));
  expect(example('Invoice', 'customer_id')).toBe(example('Customer'));
  expect(example('LineInput', 'productId')).toBe(example('Product'));
  expect(example('InvoiceInput', 'profileId')).toBe(example('Profile'));
  expect(example('CreditsInput', 'orgId')).toBe(example('Organization'));
  const created = document['paths']!['/api/v1/invoices']!['post']!['responses']!['201']!;
  expect(created['content']!['application/json']!['example']).toMatchObject({
    data: { id: example('Invoice'), emailed: true, emailError: null },
  });
});

test('what a field is when it is left out stands in its schema', () => {
  const schemas = document['components']!['schemas']!;
  expect(schemas['SubscriptionInput']!['properties']!['interval']).toMatchObject({ default: 1 });
  expect(schemas['LineInput']!['properties']!['quantity']).toMatchObject({ default: 1 });
  for (const name of ['Subscription', 'Line']) expect(JSON.stringify(schemas[name])).not.toContain('"default"');
});

test('what is no whole request is answered 408 or 431, whatever it asks for', () => {
  for (const operation of Object.values(document['paths']!).flatMap((methods) => Object.values(methods)))
    expect(operation['responses']).toMatchObject({
      '408': { $ref: '#/components/responses/RequestTimeout' },
      '431': { $ref: '#/components/responses/HeadersTooLarge' },
    });
  expect(Object.keys(document['components']!['responses']!)).toEqual(['RequestTimeout', 'HeadersTooLarge']);
});

test('a header that only one error of a response has says so', () => {
  const responses = document['paths']!['/api/v1/invoices']!['post']!['responses']!;
  expect(responses['409']!['headers']!['Retry-After']).toMatchObject({
    description: 'Only with `idempotency_in_flight`.',
  });
  expect(Object.keys(responses).filter((status) => 'Retry-After' in (responses[status]!['headers'] ?? {}))).toEqual([
    '409',
    '429',
    '501',
  ]);
});

test('every event of the catalogue and the test event: the signature headers, and an example that fits its schema', () => {
  const webhooks = document['webhooks']!;
  expect(Object.keys(webhooks)).toEqual([...eventTypes, 'webhook.test']);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: document['components'] });
  for (const [type, { post }] of Object.entries(webhooks)) {
    const content = (post as unknown as { requestBody: { content: Record<string, { schema: Json; example: Json }> } })
      .requestBody.content['application/json']!;
    const schema = JSON.parse(JSON.stringify(content.schema).replaceAll('"#/', '"document#/')) as Json;
    expect([type, ajv.validate(schema, content.example), ajv.errors]).toEqual([type, true, null]);
    expect(content.example).toMatchObject({ type });
  }
  for (const { post } of Object.values(webhooks) as unknown as { post: { parameters: Json[] } }[])
    expect(post.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
});

test.each(operations.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s: every error, the key, and the headers for rate and repeating',
  (_name, route) => {
    const operation = document['paths']![route.path]![route.method.toLowerCase()]!;
    const codes = Object.values(operation['responses']!).flatMap((response) =>
      Object.keys(response['content']?.['application/json']?.['examples'] ?? {}),
    );
    const always = ['unauthorized', 'plan_limit_api', 'forbidden', 'rate_limited', 'generic', 'unavailable'];
    const posts = [
      'validation',
      'idempotency_conflict',
      'idempotency_in_flight',
      'payload_too_large',
      'unsupported_media_type',
    ];
    expect(codes.sort()).toEqual([...always, ...(route.body ? posts : []), ...route.errors].sort());
    for (const code of codes)
      expect(operation['responses']).toHaveProperty(String(httpStatusOfCode(code as PublicErrorCode)));
    const success = operation['responses']![route.body ? '201' : '200']!;
    expect(Object.keys(success['headers']!)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
    );
    expect(operation['responses']!['429']!['headers']).toHaveProperty('Retry-After');
    expect('security' in operation).toBe(false);
    expect('parameters' in operation).toBe(route.method === 'POST');
  },
);
