import { type PublicErrorCode } from '@invoicing/errors';
import { type Stream } from '../streams/stream';
import { exampleOf, type componentSchemas } from './component-schemas';
import { errorResponses, transportStatuses } from './error-responses';

const ERRORS: readonly PublicErrorCode[] = [
  'unauthorized',
  'plan_limit_api',
  'forbidden',
  'rate_limited',
  'generic',
  'unavailable',
  'test_only',
];

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of what came last: the stream goes on from there. Browsers and libraries send it by themselves.',
  schema: { type: 'string', format: 'date-time' },
  example: '2026-03-01T09:30:00.000Z',
};

/** A stream of server-sent events; its schema is that of the JSON in each `data:` line. */
export const streamOperation = (
  { operationId, summary, data }: Stream,
  schemas: ReturnType<typeof componentSchemas>,
) => ({
  operationId,
  tags: ['Sandbox'],
  summary,
  description:
    'Server-sent events, each with one JSON document in `data`, for test organisations only. Counts as one request, ends after an hour or when ' +
    'the service is renewed: connect again, with `Last-Event-ID`. At most four streams a key.\n\nScope: `sandbox:read`.',
  'x-scope': 'sandbox:read',
  parameters: [lastEventId],
  responses: {
    '200': {
      description: data.description,
      headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
      content: { 'text/event-stream': { schema: schemas.ofAnswer(data), example: exampleOf(data) } },
    },
    ...errorResponses(ERRORS),
    ...transportStatuses,
  },
});
