import { testScenarios } from '@invoicing/rules';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});
const whole = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

/** Headers of answers. */
export const headers = {
  'X-Request-Id': text(
    'Names the request in our logs; your own `X-Request-Id` is kept.',
    '5f0c1f0e-5d6b-4b5a-9d53-9f7f4a4f8a10',
  ),
  'RateLimit-Limit': whole('Requests a minute that the key may make.', 60),
  'RateLimit-Remaining': whole('How many of them are left now.', 59),
  'RateLimit-Reset': whole('Seconds until the oldest request of the last minute no longer counts.', 42),
  'Retry-After': whole('Seconds to wait before trying again.', 3),
  'Dry-Run': text('`true`: nothing was stored.', 'true'),
  'Idempotent-Replayed': text('`true` when this is the stored answer of an earlier request.', 'true'),
  'WWW-Authenticate': text(
    'How to authenticate; when a scope is missing, which (`error="insufficient_scope", scope="…"`).',
    'Bearer realm="invoicing"',
  ),
  Link: text('Where the error is explained: its cause and what to do.', '</docs/errors#unavailable>; rel="help"'),
};

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names the request, so that repeating it is safe: the same request with the same key answers what the first one answered and ' +
    'creates nothing twice. Kept for at least 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: 'order-4711',
};

export const dryRun = {
  name: 'Dry-Run',
  in: 'header',
  required: false,
  description:
    '`true` asks what the request would be answered: everything is checked and nothing is stored, numbered or sent. Needs no ' +
    '`Idempotency-Key`, counts for the rate limit.',
  schema: { type: 'string', const: 'true' },
  example: 'true',
};

export const testScenario = {
  name: 'Test-Scenario',
  in: 'header',
  required: false,
  description:
    'For test organisations only: what is to go wrong with the request or with what it makes.\n\n' +
    Object.entries(testScenarios)
      .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
      .join('\n'),
  schema: { type: 'string', enum: Object.keys(testScenarios) },
  example: 'webhook_500',
};

export const tags = [
  { name: 'Account', description: 'Who the key speaks for.' },
  { name: 'Customers', description: 'Who is invoiced.' },
  { name: 'Products', description: 'What is sold.' },
  { name: 'Invoices', description: 'Drafts and issued invoices. An issued invoice never changes.' },
  { name: 'Subscriptions', description: 'Recurring schedules that make invoices.' },
  { name: 'Checkouts', description: 'Hosted payment pages that make a paid invoice.' },
  { name: 'Sandbox', description: 'What test organisations have beside everything else.' },
  { name: 'Credits', description: 'Mail credits, for platform billing.' },
  { name: 'Service', description: 'About the service itself; needs no key.' },
];

export const introduction = `**Bodies** are JSON, \`Content-Type: application/json\`, at most 1 MiB. Success is \`{ "data": … }\`, failure \`{ "error": "<code>" }\`;
\`validation\` alone adds \`details\`, every violation at once. Fields that are not described here are refused.

**Names** of fields are camelCase, but for \`total_incl\`, \`open_cents\`, \`issue_date\`, \`customer_id\` and \`public_token\` in the answers about invoices: they were
published so and stay so. It is no mistake of yours.

**Amounts** are whole cents. **Dates** are \`YYYY-MM-DD\` in the time zone of the organisation, **timestamps** ISO 8601 in UTC.

**Lists** answer the newest records, at most 50 invoices and 100 of everything else. There are no parameters for pages or filters: what is older
is not in the API, so keep the ids and tokens that creating answers.

**Keys** go into \`Authorization: Bearer <API_KEY>\`. A key has scopes and may be restricted to one profile; then it sees and creates only that
profile's invoices, subscriptions and checkouts.

**Rate limit**: 60 requests in any minute per key, unless the operator set another limit. Beyond it: 429 \`rate_limited\`; waiting as long as
\`Retry-After\` says is enough. Refused requests do not count.

**Repeating a POST** is safe with an \`Idempotency-Key\`: the stored answer comes again with \`Idempotent-Replayed: true\`. The same key with
another body is 409 \`idempotency_conflict\`; while the first request runs, 409 \`idempotency_in_flight\`. A refused request (4xx) frees its key.
After a 5xx repeat the same request with the same key: nothing is created twice.

**Versions**: within v1 fields may be added, existing ones do not disappear.`;
