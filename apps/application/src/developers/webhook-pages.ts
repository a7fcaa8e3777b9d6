import type { Delivery, DeliveryWithBody, Endpoint } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { eventTypes } from '@invoicing/rules';
import {
  linked,
  plain,
  type Cell,
  type FieldBlock,
  type NoticeBlock,
  type PageBlock,
  type SectionBlock,
} from '../pages/blocks';
import { moment } from '../pages/format';
import { faultList, noFaults, type Faults } from '../pages/form-request';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';

const stateOf = (t: Texts, { enabled }: Endpoint): Cell =>
  enabled ? { text: t.stateActive, tone: 'good' } : { text: t.stateDisabled, tone: 'bad' };

export const endpointsPage = ({ t, at }: Workplace, endpoints: readonly Endpoint[]): PageBlock => ({
  title: t.webhooks,
  intro: t.webhooksIntro,
  actions: [{ label: t.newWebhook, href: at('webhooks/new'), isPrimary: true }],
  sections: [
    {
      table: {
        caption: t.webhooks,
        columns: [{ label: t.url }, { label: t.events }, { label: t.state }],
        rows: endpoints.map((each) => [
          linked(each.url, at(`webhooks/${each.id}`)),
          plain(each.events.join(', ') || t.allEvents),
          stateOf(t, each),
        ]),
        empty: t.noWebhooks,
      },
    },
  ],
});

const eventsField = (t: Texts, chosen: readonly string[], fault: string | undefined): FieldBlock => ({
  name: 'events',
  label: t.events,
  value: '',
  fault,
  choices: eventTypes.map((type) => ({ value: type, label: type, isChosen: chosen.includes(type) })),
});

export const newEndpointPage = (
  { t, at }: Workplace,
  given: { readonly url: string; readonly events: readonly string[] },
  faults: Faults,
  operation: string,
): PageBlock => ({
  title: t.newWebhook,
  back: { label: t.webhooks, href: at('webhooks') },
  notice: faults.notice,
  faults: faultList(faults),
  isNarrow: true,
  sections: [
    {
      forms: [
        {
          action: at('webhooks/new'),
          submit: t.makeWebhook,
          cancel: at('webhooks'),
          hidden: { operation },
          fields: [
            {
              name: 'url',
              label: t.url,
              type: 'url',
              value: given.url,
              required: true,
              autocomplete: 'off',
              maxLength: 2_000,
              hint: t.webhookUrlHint,
              fault: faults.fields['url'],
            },
            eventsField(t, given.events, faults.fields['events']),
          ],
        },
      ],
    },
  ],
});

export const secretPage = ({ t, at }: Workplace, endpoint: Endpoint, secret: string): PageBlock => ({
  title: t.webhookSecret,
  notice: { tone: 'warning', text: t.shownOnce },
  isNarrow: true,
  sections: [
    { text: t.webhookSecretText, copies: [{ label: t.webhookSecret, value: secret }] },
    { actions: [{ label: t.toWebhook, href: at(`webhooks/${endpoint.id}`), isPrimary: true }] },
  ],
});

interface ShownEndpoint {
  readonly endpoint: Endpoint;
  readonly deliveries: readonly Delivery[];
  readonly operation: string;
  readonly notice?: NoticeBlock | undefined;
  readonly faults?: Faults;
}

const REASONS: Readonly<Record<string, keyof Texts>> = {
  operator: 'disabledByPerson',
  gone: 'disabledGone',
  failing: 'disabledFailing',
};

export function endpointPage(place: Workplace, shown: ShownEndpoint): PageBlock {
  const { t, at } = place;
  const { endpoint, notice } = shown;
  const reason = REASONS[endpoint.disabledReason];
  return {
    title: endpoint.url,
    state: stateOf(t, endpoint),
    back: { label: t.webhooks, href: at('webhooks') },
    ...(reason && !endpoint.enabled && { intro: t[reason] }),
    notice,
    sections: [deliveriesSection(place, shown), ...changeSections(place, shown)],
  };
}

function deliveriesSection(place: Workplace, { endpoint, deliveries, operation }: ShownEndpoint): SectionBlock {
  const { t, at, language, timeZone } = place;
  const here = at(`webhooks/${endpoint.id}`);
  return {
    title: t.deliveries,
    table: {
      caption: t.deliveries,
      columns: [{ label: t.event }, { label: t.createdAt }, { label: t.answer }, { label: t.state }],
      rows: deliveries.map((delivery) => [
        linked(delivery.eventType, `${here}/deliveries/${delivery.id}`),
        plain(moment(delivery.createdAt, language, timeZone)),
        plain(answerOf(t, delivery)),
        deliveryState(t, delivery),
      ]),
      empty: t.noDeliveries,
    },
    forms: endpoint.enabled
      ? [
          { action: `${here}/test`, submit: t.sendTest, tone: '', hidden: { operation } },
          { action: `${here}/redeliver`, submit: t.redeliverFailed, tone: '' },
        ]
      : [],
  };
}

function changeSections({ t, at }: Workplace, { endpoint, faults = noFaults }: ShownEndpoint): SectionBlock[] {
  const here = at(`webhooks/${endpoint.id}`);
  return [
    {
      forms: [
        {
          action: `${here}/events`,
          submit: t.save,
          tone: '',
          fields: [eventsField(t, endpoint.events, faults.fields['events'])],
        },
      ],
    },
    {
      title: t.webhookSecret,
      text: t.rotateText,
      forms: [
        { action: `${here}/rotate`, submit: t.rotate, tone: '', hidden: { when: 'later' } },
        { action: `${here}/rotate`, submit: t.rotateNow, tone: 'danger', hidden: { when: 'now' } },
      ],
    },
    endpoint.enabled
      ? { text: t.disableText, forms: [{ action: `${here}/disable`, submit: t.disable, tone: 'danger' }] }
      : {
          text: t.enableText,
          forms: [
            { action: `${here}/enable`, submit: t.enableCatchUp, hidden: { catchUp: 'yes' } },
            { action: `${here}/enable`, submit: t.enable, tone: '', hidden: { catchUp: '' } },
          ],
        },
  ];
}

/** What the last attempt was answered. */
function answerOf(t: Texts, { attempts }: Delivery): string {
  const last = attempts.at(-1);
  return last ? last.error || String(last.status) : t.none;
}

const STATES: Readonly<Record<string, readonly [keyof Texts, Cell['tone']]>> = {
  delivered: ['stateDelivered', 'good'],
  pending: ['statePending', 'warning'],
  failed: ['stateFailed', 'bad'],
  held: ['stateHeld', 'plain'],
};

function deliveryState(t: Texts, { status }: Delivery): Cell {
  const [text, tone] = STATES[status] ?? ['none', 'plain'];
  return { text: t[text], tone };
}

/** One delivery: what was sent, and what each attempt was answered. */
export function deliveryPage(
  place: Workplace,
  endpoint: Endpoint,
  { delivery, body }: DeliveryWithBody,
  notice: NoticeBlock | undefined,
): PageBlock {
  const { t, at, language, timeZone } = place;
  const { id, eventId, eventType, attempts } = delivery!;
  const here = at(`webhooks/${endpoint.id}`);
  return {
    title: eventType,
    state: deliveryState(t, delivery!),
    back: { label: endpoint.url, href: here },
    notice,
    sections: [
      {
        facts: [
          ['webhook-id', plain(eventId)],
          [t.createdAt, plain(moment(delivery!.createdAt, language, timeZone))],
          [t.nextAttempt, plain(moment(delivery!.nextAttemptAt, language, timeZone) || t.none)],
        ],
        forms: endpoint.enabled
          ? [{ action: `${here}/deliveries/${id}/redeliver`, submit: t.redeliver, tone: '' }]
          : [],
      },
      { title: t.body, code: readable(body) },
      ...attempts.toReversed().map((attempt, index) => ({
        title: fill(t.attempt, { number: String(attempts.length - index) }),
        facts: [
          [t.date, plain(moment(attempt.at, language, timeZone))],
          [t.answer, plain(attempt.error || String(attempt.status))],
          [t.duration, plain(`${attempt.durationMs} ms`)],
        ] as [string, Cell][],
        code: attempt.responseExcerpt || undefined,
      })),
    ],
  };
}

/** JSON with line breaks; whatever else it is stays as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
