import { Type } from '@sinclair/typebox';
import { registerNumberWarnings } from '@invoicing/rules';
import { CHECKOUT_STATUSES, checkoutCreated, checkoutInput, checkoutListItem } from '../schemas/checkout';
import { wordsOf } from '../schemas/enum-words';
import { termsMessage } from '../schemas/document-terms';
import { lineMessage } from '../schemas/line';
import { isoTime } from './iso-time';
import { create, read, type Operation } from './route';

const LIMIT = 100;

const statusWord = wordsOf('CHECKOUT_STATUS_', CHECKOUT_STATUSES);

export const checkoutRoutes: readonly Operation[] = [
  read({
    operationId: 'listCheckouts',
    path: '/api/v1/checkouts',
    scope: 'checkouts:read',
    tag: 'Checkouts',
    summary: 'List hosted checkout sessions (newest 100)',
    data: Type.Array(checkoutListItem, { maxItems: LIMIT }),
    call: async ({ caller: { organizationId, profileId }, context }, { checkouts }) => {
      const list = await checkouts.listCheckouts({ organizationId, profileId, limit: LIMIT }, context);
      return list.checkouts.map((session) => ({
        id: session.id,
        status: statusWord(session.status),
        title: session.title,
        amountIncl: session.amountInclCents,
        url: session.url,
        redirectUrl: session.redirectUrl ?? null,
        expiresAt: isoTime(session.expiresAt),
        createdAt: isoTime(session.createdAt),
      }));
    },
  }),
  create({
    operationId: 'createCheckout',
    path: '/api/v1/checkouts',
    scope: 'checkouts:write',
    tag: 'Checkouts',
    summary: 'Create a hosted checkout session',
    description: 'After payment the service creates the invoice, e-mails it and sends `invoice.paid` to the webhooks.',
    body: checkoutInput,
    data: checkoutCreated,
    examples: () => ['id', 'url', 'expiresAt'],
    call: async ({ body, caller: { organizationId, profileId }, context, warn }, { checkouts }) => {
      const session = await checkouts.createCheckout(
        {
          organizationId,
          profileId,
          title: body.title,
          lines: body.lines.map(lineMessage),
          ...termsMessage(body),
          customer: body.customer,
          redirectUrl: body.redirectUrl,
          methods: body.methods ?? [],
          expiresInHours: body.expiresInHours,
        },
        context,
      );
      warn(session.warnings);
      warn(registerNumberWarnings(body.customer ?? {}, '/customer/kvkNumber'));
      return {
        id: session.id,
        status: statusWord(session.status),
        url: session.url,
        amountIncl: session.amountInclCents,
        expiresAt: isoTime(session.expiresAt),
      };
    },
  }),
];
