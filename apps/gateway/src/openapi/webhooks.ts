import { type componentSchemas, exampleOf } from './component-schemas';
import { eventSchemas, webhookTest } from './webhook-schemas';

type Schemas = ReturnType<typeof componentSchemas>;

const signed = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
  example,
});

/** As Standard Webhooks say. */
const parameters = [
  signed('webhook-id', 'Names the event, the same on every attempt: act once.', '1b4e28ba-2fa1-51d2-883f-0016d3cca427'),
  signed(
    'webhook-timestamp',
    'Seconds since 1970 of this attempt; refuse what is older than five minutes.',
    '1772357401',
  ),
  signed(
    'webhook-signature',
    '`v1,` and base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the key that the secret is after `whsec_`, in ' +
      'base64; several with a space between while a secret is being rotated: one that fits is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  signed(
    'traceparent',
    'W3C trace context, when the service is traced.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    false,
  ),
];

const webhook = (schemas: Schemas, { name, summary, description, schema }: typeof webhookTest) => ({
  post: {
    operationId: `on${name}`,
    summary,
    description,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.ofAnswer(schema), example: exampleOf(schema) } },
    },
    responses: {
      '2XX': { description: 'Taken.' },
      '410': {
        description: 'The endpoint is gone and is disabled. Any other answer is tried again for about three days.',
      },
    },
  },
});

/** What the service sends: documented beside the API, so that generated clients know the shapes. */
export const webhooks = (schemas: Schemas) =>
  Object.fromEntries(
    Object.entries({ ...eventSchemas, 'webhook.test': webhookTest }).map(([type, event]) => [
      type,
      webhook(schemas, event),
    ]),
  );
