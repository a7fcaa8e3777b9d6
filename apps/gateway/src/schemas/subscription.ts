import { Type } from '@sinclair/typebox';
import { date, object, oneOf, orNull, timestamp, uuid } from './fields';
import { note, pricesIncludeVat, reference, termsInput } from './document-terms';
import { lineOutput, linesInput } from './line';

export const FREQUENCIES = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;
export const SUBSCRIPTION_STATUSES = ['active', 'paused', 'ended'] as const;
const MAX_LINES = 500;

const customerId = uuid('customer', 'A customer of the organisation.');
const freq = oneOf(FREQUENCIES, 'Unit of the period.', 'monthly');
const interval = (options = {}) =>
  Type.Integer({ minimum: 1, maximum: 100, description: 'Every so many periods.', examples: [1], ...options });
const autoSendEmail = (options = {}) =>
  Type.Boolean({ description: 'Issue and e-mail each invoice; else it stays a draft.', examples: [true], ...options });
const autoSendPost = (options = {}) =>
  Type.Boolean({
    description: 'Issue and post each invoice as a letter, for one mail credit.',
    examples: [false],
    ...options,
  });

export const subscriptionInput = object(
  'SubscriptionInput',
  {
    customerId,
    freq,
    interval: Type.Optional(interval({ default: 1 })),
    autoSendEmail: Type.Optional(autoSendEmail({ default: false })),
    autoSendPost: Type.Optional(autoSendPost({ default: false })),
    lines: linesInput(MAX_LINES),
    ...termsInput,
    startDate: Type.Optional(
      date(
        'First invoice date, from which all others follow. Default: today. From one that lies more than one period back nothing is caught up: the first invoice is then of the first period from today on.',
      ),
    ),
  },
  'A recurring schedule to create.',
);

export const subscription = object(
  'Subscription',
  {
    id: uuid('subscription', 'Id of the subscription.'),
    customerId,
    freq,
    interval: interval(),
    autoSendEmail: autoSendEmail(),
    autoSendPost: autoSendPost(),
    lines: Type.Array(lineOutput, { description: 'As given: what a line leaves out follows its product at each run.' }),
    pricesIncludeVat,
    reference: orNull(reference),
    note: orNull(note),
    status: oneOf(SUBSCRIPTION_STATUSES, 'Whether it makes invoices.', 'active'),
    startDate: date('First invoice date.'),
    nextRunDate: orNull(date('Date of the next invoice; null once ended.', '2026-04-01')),
    lastRunDate: orNull(date('Date of the last period invoiced; null before the first.')),
    createdAt: timestamp('When it was created.'),
  },
  'A recurring schedule.',
);
