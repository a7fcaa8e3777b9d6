import { type Clock } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { clock, clockMove } from '../schemas/sandbox';
import { isoTime } from './iso-time';
import { create, read, type Operation } from './route';

const toClock = ({ now, aheadMs }: Clock) => ({ now: isoTime(now), aheadMs });

/** What test organisations have beside everything else. */
export const sandboxRoutes: readonly Operation[] = [
  read({
    operationId: 'getClock',
    path: '/api/v1/sandbox/clock',
    scope: 'sandbox:read',
    tag: 'Sandbox',
    summary: 'What time it is in the organisation',
    data: clock,
    call: async ({ caller: { organizationId }, context }, { clocks }) =>
      toClock(await clocks.getClock({ organizationId }, context)),
  }),
  create({
    operationId: 'moveClock',
    path: '/api/v1/sandbox/clock',
    scope: 'sandbox:write',
    tag: 'Sandbox',
    summary: 'Move the clock of a test organisation forward',
    description:
      'Subscriptions, expiry, reminders, retries and letters of this organisation, and of no other, go by it. It goes on running from there; ' +
      'it never runs back, but for `real: true`. Answers once every part of the service knows, about a second later.',
    body: clockMove,
    data: clock,
    errors: ['test_only'],
    examples: () => ['now'],
    call: async ({ body, caller: { organizationId }, context }, { clocks }) =>
      toClock(
        body.real
          ? await clocks.clearClock({ organizationId }, context)
          : await clocks.moveClock(
              { organizationId, at: body.at ? new Date(body.at) : undefined, by: body.by },
              context,
            ),
      ),
  }),
];
