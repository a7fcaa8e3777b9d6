import { Type } from '@sinclair/typebox';
import { object, timestamp } from './fields';

export const clock = object(
  'Clock',
  {
    now: timestamp('The time that it shows.', '2027-01-31T09:00:00.000Z'),
    aheadMs: Type.Integer({
      minimum: 0,
      description: 'How far it is ahead of real time, milliseconds.',
      examples: [2_678_400_000],
    }),
  },
  'The clock of an organisation; a live one lives in real time.',
);

export const clockMove = object(
  'ClockMove',
  {
    at: Type.Optional(
      Type.String({ format: 'date-time', description: 'To this time; not before what it shows.', examples: [] }),
    ),
    by: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 50,
        description:
          'By this ISO 8601 duration, such as `P1M`, `P7D`, `PT2H`; months are those of the calendar. Instead of `at`.',
        examples: ['P1M'],
      }),
    ),
    real: Type.Optional(Type.Literal(true, { description: 'Back to real time. Instead of the others.', examples: [] })),
  },
  'Where to move the clock: exactly one of `at`, `by` and `real`.',
);
