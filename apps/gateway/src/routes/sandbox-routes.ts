import { type Clock } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { CAUSED_EVENTS, clock, clockMove, testEvent, testEventInput } from '../schemas/sandbox';
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
  create({
    operationId: 'createTestEvent',
    path: '/api/v1/sandbox/events',
    scope: 'sandbox:write',
    tag: 'Sandbox',
    summary: 'Make something happen to an invoice of a test organisation',
    description:
      'What people, mail servers and networks do otherwise, so that the webhook of it follows as it does in life: `invoice.credited` credits ' +
      'all that is left of it; `invoice.reminded` sends the next reminder of its plan, of an invoice that is overdue by the clock of the ' +
      'organisation, whether the plan is on or not; `mail.failed` lets its e-mail come back; `peppol.delivered` and `peppol.failed` send it ' +
      'over Peppol by the sandbox, which is connected when no access point is. Everything else in the catalogue is made by requests and the clock.',
    body: testEventInput,
    data: testEvent,
    errors: ['test_only'],
    examples: () => [],
    call: async ({ body, caller: { organizationId, profileId }, context }, { sandbox, testEvents }) => {
      const { type } = body;
      const invoiceId = body.invoiceId.toLowerCase();
      const wanted = { organizationId, profileId, invoiceId, type };
      const isBilling = (CAUSED_EVENTS.billing as readonly string[]).includes(type);
      await (isBilling ? sandbox.causeEvent(wanted, context) : testEvents.causeTestEvent(wanted, context));
      return { type, invoiceId };
    },
  }),
];
