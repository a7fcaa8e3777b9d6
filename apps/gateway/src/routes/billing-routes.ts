import { Type } from '@sinclair/typebox';
import { type Frequency } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { type Subscription } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { BILLING_STATUSES, creditGrant, creditsInput, me, PLANS } from '../schemas/account';
import { fromWord, wordsOf } from '../schemas/enum-words';
import {
  foreseenInvoice,
  foreseenOf,
  INVOICE_KINDS,
  INVOICE_STATUSES,
  invoiceCreated,
  invoiceInput,
  invoiceListItem,
} from '../schemas/invoice';
import { supplyMessage, termsMessage } from '../schemas/document-terms';
import { lineMessage, lineOf } from '../schemas/line';
import { FREQUENCIES, subscription, SUBSCRIPTION_STATUSES, subscriptionInput } from '../schemas/subscription';
import { create, read, type Operation } from './route';
import { isoTime } from './iso-time';

const frequencyWord = wordsOf('FREQUENCY_', FREQUENCIES);
const subscriptionStatusWord = wordsOf('SUBSCRIPTION_STATUS_', SUBSCRIPTION_STATUSES);
const planWord = wordsOf('PLAN_', PLANS);
const billingStatusWord = wordsOf('BILLING_STATUS_', BILLING_STATUSES);
const invoiceStatusWord = wordsOf('INVOICE_STATUS_', INVOICE_STATUSES);
const invoiceKindWord = wordsOf('INVOICE_KIND_', INVOICE_KINDS);

const INVOICE_LIMIT = 50;
const SUBSCRIPTION_LIMIT = 100;

const subscriptionOf = (message: Subscription) => ({
  id: message.id,
  customerId: message.customerId,
  freq: frequencyWord(message.freq),
  interval: message.interval,
  autoSendEmail: message.autoSendEmail,
  autoSendPost: message.autoSendPost,
  lines: message.lines.map(lineOf),
  pricesIncludeVat: message.pricesIncludeVat ?? false,
  reference: message.reference ?? null,
  note: message.note ?? null,
  status: subscriptionStatusWord(message.status),
  startDate: message.startDate,
  nextRunDate: message.nextRunDate ?? null,
  lastRunDate: message.lastRunDate ?? null,
  createdAt: isoTime(message.createdAt),
});

export const billingRoutes: readonly Operation[] = [
  read({
    operationId: 'getMe',
    path: '/api/v1/me',
    scope: null,
    tag: 'Account',
    summary: 'Current organisation and profile',
    data: me,
    call: async ({ caller: { key, organizationId, profileId }, context }, { organizations }) => {
      const { id, details, currency, plan, billingStatus, profiles } = await organizations.getOrganization(
        { organizationId },
        context,
      );
      const profile = profiles.find((each) => each.id === profileId);
      return {
        organization: {
          id,
          name: details?.name ?? '',
          countryCode: details?.countryCode ?? '',
          currency,
          timezone: details?.timezone ?? '',
          plan: planWord(plan),
          billingStatus: billingStatusWord(billingStatus),
        },
        profile: profile ? { id: profile.id, name: profile.name } : null,
        key: {
          id: key._id,
          prefix: key.prefix,
          scopes: [...key.scopes],
          mode: key.mode,
          expiresAt: key.expiresAt?.toISOString() ?? null,
        },
      };
    },
  }),
  read({
    operationId: 'listInvoices',
    path: '/api/v1/invoices',
    scope: 'invoices:read',
    tag: 'Invoices',
    summary: 'List invoices (newest 50)',
    description: 'A key restricted to a profile sees only the invoices of that profile.',
    data: Type.Array(invoiceListItem, { maxItems: INVOICE_LIMIT }),
    call: async ({ caller: { organizationId, profileId }, context }, { invoices }) => {
      const list = await invoices.listInvoices({ organizationId, profileId, limit: INVOICE_LIMIT }, context);
      return list.invoices.map((invoice) => ({
        id: invoice.id,
        number: invoice.number,
        kind: invoiceKindWord(invoice.kind),
        status: invoiceStatusWord(invoice.status),
        total_incl: invoice.totalInclCents,
        open_cents: invoice.openCents,
        issue_date: invoice.issueDate,
        customer_id: invoice.customerId,
        public_token: invoice.publicToken,
      }));
    },
  }),
  create({
    operationId: 'createInvoice',
    path: '/api/v1/invoices',
    scope: 'invoices:write',
    tag: 'Invoices',
    summary: 'Create an invoice, draft or sent',
    description:
      'With `send` the invoice gets its number, is locked and e-mailed; it is issued even when the e-mail cannot be sent. ' +
      'An organisation in arrears can only make drafts (402 `billing_readonly`).',
    body: invoiceInput,
    data: invoiceCreated,
    // A draft is called by its id.
    examples: ({ send }) => (send ? ['id', 'public_token'] : ['id', 'number', 'public_token']),
    foreseen: foreseenInvoice,
    errors: ['billing_readonly'],
    call: async ({ body, caller: { organizationId, profileId }, context, warn, foresee }, { invoices }) => {
      const created = await invoices.createInvoice(
        {
          organizationId,
          customerId: body.customerId.toLowerCase(),
          lines: body.lines.map(lineMessage),
          ...termsMessage(body),
          ...supplyMessage(body),
          issueDate: body.issueDate,
          dueDate: body.dueDate,
          send: body.send ?? false,
          profileId: profileId ?? body.profileId?.toLowerCase(),
          post: false,
          requireEInvoice: false,
          buyer: undefined,
        },
        context,
      );
      warn(created.warnings);
      if (created.dryRun) foresee(foreseenOf(created.dryRun));
      return {
        id: created.id,
        number: created.number,
        public_token: created.publicToken,
        emailed: created.emailed,
        emailError: created.emailed ? null : created.emailError,
      };
    },
  }),
  read({
    operationId: 'listSubscriptions',
    path: '/api/v1/subscriptions',
    scope: 'subscriptions:read',
    tag: 'Subscriptions',
    summary: 'List recurring schedules (newest 100)',
    data: Type.Array(subscription, { maxItems: SUBSCRIPTION_LIMIT }),
    call: async ({ caller: { organizationId, profileId }, context }, { subscriptions }) => {
      const found: Subscription[] = [];
      let cursor: string | undefined;
      do {
        const limit = SUBSCRIPTION_LIMIT - found.length;
        const page = await subscriptions.listSubscriptions({ organizationId, profileId, limit, cursor }, context);
        found.push(...page.subscriptions);
        cursor = page.cursor;
      } while (cursor !== undefined && found.length < SUBSCRIPTION_LIMIT);
      return found.map(subscriptionOf);
    },
  }),
  create({
    operationId: 'createSubscription',
    path: '/api/v1/subscriptions',
    scope: 'subscriptions:write',
    tag: 'Subscriptions',
    summary: 'Create a subscription',
    description: 'The first invoice is made on `startDate`, the others follow from it.',
    body: subscriptionInput,
    data: subscription,
    examples: () => ['id', 'createdAt'],
    call: async ({ body, caller: { organizationId, profileId }, context, warn }, { subscriptions }) => {
      const created = await subscriptions.createSubscription(
        {
          organizationId,
          profileId,
          customerId: body.customerId.toLowerCase(),
          freq: fromWord<Frequency>('FREQUENCY_', body.freq),
          interval: body.interval,
          autoSendEmail: body.autoSendEmail ?? false,
          autoSendPost: body.autoSendPost ?? false,
          lines: body.lines.map(lineMessage),
          ...termsMessage(body),
          startDate: body.startDate,
        },
        context,
      );
      warn(created.warnings);
      return subscriptionOf(created);
    },
  }),
  create({
    operationId: 'grantCredits',
    path: '/api/v1/credits',
    scope: 'credits:write',
    platform: true,
    tag: 'Credits',
    summary: 'Grant mail credits after a paid top-up',
    description: 'Platform billing only.',
    body: creditsInput,
    data: creditGrant,
    examples: () => ['id', 'createdAt'],
    call: async ({ body: { orgId, credits: count, reason }, context }, { credits }) => {
      const request = { organizationId: orgId.toLowerCase(), credits: count, reason };
      const grant = await credits.grantCredits(request, context);
      return {
        id: grant.id,
        orgId: grant.organizationId,
        credits: grant.credits,
        balance: grant.balance,
        reason: grant.reason ?? null,
        createdAt: isoTime(grant.createdAt),
      };
    },
  }),
];
