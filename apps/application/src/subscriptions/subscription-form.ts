import type { Request } from 'express';
import {
  CreateSubscriptionRequest,
  Frequency,
  SubscriptionDetails,
  frequencyFromJSON,
  type Subscription,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { VatTreatment, type LineInput } from '@invoicing/contracts/invoicing/billing/v1/line';
import { validationError } from '@invoicing/errors';
import { blankDraft, lineInputs, typedDraft, type LineForm } from '../invoices/draft-form';
import { fieldOf } from '../pages/form-request';
import type { Language } from '../pages/texts';
import { centsField } from '../pages/typed-amount';

/** A subscription as it stands in the editor: what was typed. */
export interface SubscriptionForm {
  readonly customerId: string;
  readonly customerSearch: string;
  readonly productSearch: string;
  readonly profileId: string;
  readonly freq: string;
  readonly interval: string;
  /** Of a new one: its first day. Of a change: from when on. */
  readonly from: string;
  /** '', email, post, both. */
  readonly sending: string;
  readonly pricesIncludeVat: string;
  readonly reference: string;
  readonly note: string;
  readonly lines: readonly LineForm[];
}

/** Names of what a change can be of, and of the field of the form that says it. */
const CHANGEABLE = [
  'freq',
  'interval',
  'autoSendEmail',
  'autoSendPost',
  'lines',
  'pricesIncludeVat',
  'reference',
  'note',
] as const;

const NOTHING_SOUGHT = { customerSearch: '', productSearch: '' };

export const blankSubscription = (customerId: string): SubscriptionForm => ({
  ...NOTHING_SOUGHT,
  customerId,
  profileId: '',
  freq: Frequency.MONTHLY,
  interval: '1',
  from: '',
  sending: 'email',
  pricesIncludeVat: '',
  reference: '',
  note: '',
  lines: blankDraft(customerId).lines,
});

const sendingOf = ({ autoSendEmail, autoSendPost }: Subscription): string =>
  autoSendEmail && autoSendPost ? 'both' : autoSendEmail ? 'email' : autoSendPost ? 'post' : '';

/** A line as it was asked for: what it leaves out comes from its product, and is empty. */
const lineFormOf = (line: LineInput, language: Language): LineForm => {
  const decimal = (text: string): string => (language === 'nl' ? text.replace('.', ',') : text);
  return {
    productId: line.productId ?? '',
    description: line.description ?? '',
    quantity: decimal(line.quantity ?? '1'),
    unit: line.unit ?? '',
    unitPriceCents: line.unitPriceCents === undefined ? '' : centsField(line.unitPriceCents, language),
    vatTreatment: line.vatTreatment === VatTreatment.UNSPECIFIED ? '' : line.vatTreatment,
    discountBps: line.discountBps ? decimal(String(line.discountBps / 100)) : '',
  };
};

/** A subscription that is there, as it is edited. */
export const formOf = (subscription: Subscription, language: Language): SubscriptionForm => ({
  ...NOTHING_SOUGHT,
  customerId: subscription.customerId,
  profileId: subscription.profileId,
  freq: subscription.freq,
  interval: String(subscription.interval),
  from: '',
  sending: sendingOf(subscription),
  pricesIncludeVat: subscription.pricesIncludeVat ? 'yes' : '',
  reference: subscription.reference ?? '',
  note: subscription.note ?? '',
  lines: subscription.lines.map((line) => lineFormOf(line, language)),
});

export function typedSubscription(request: Request): SubscriptionForm {
  const { customerId, profileId, pricesIncludeVat, reference, note, ...typed } = typedDraft(request);
  const { customerSearch, productSearch, lines } = typed;
  return {
    ...{ customerId, customerSearch, productSearch, profileId, pricesIncludeVat, reference, note, lines },
    freq: fieldOf(request, 'freq'),
    interval: fieldOf(request, 'interval'),
    from: fieldOf(request, 'from'),
    sending: fieldOf(request, 'sending'),
  };
}

/** What every period is, whether it is new or changed. */
function terms(form: SubscriptionForm) {
  if (!/^\d{1,3}$/.test(form.interval || '1'))
    throw validationError([{ path: '/interval', message: 'must be a whole number from 1 to 100' }]);
  return {
    freq: frequencyFromJSON(form.freq),
    interval: Number(form.interval || '1'),
    autoSendEmail: ['email', 'both'].includes(form.sending),
    autoSendPost: ['post', 'both'].includes(form.sending),
    lines: lineInputs(form),
    pricesIncludeVat: form.pricesIncludeVat === 'yes',
    reference: form.reference || undefined,
    note: form.note || undefined,
  };
}

export const createRequest = (organizationId: string, form: SubscriptionForm): CreateSubscriptionRequest =>
  CreateSubscriptionRequest.fromPartial({
    organizationId,
    customerId: form.customerId,
    profileId: form.profileId || undefined,
    startDate: form.from || undefined,
    ...terms(form),
  });

/** All of its terms, from a day on; billing keeps what is the same. */
export const updateRequest = (
  { id, organizationId }: Subscription,
  form: SubscriptionForm,
  revision: number | undefined,
) => ({
  organizationId,
  subscriptionId: id,
  details: SubscriptionDetails.fromPartial(terms(form)),
  updateMask: [...CHANGEABLE],
  from: form.from || undefined,
  revision,
});
