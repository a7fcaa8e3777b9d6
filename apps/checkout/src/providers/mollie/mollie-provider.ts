import { isUuid } from '@invoicing/rules';
import { type Movement } from '../../sessions/movement';
import { type PaymentState } from '../../sessions/observe-payment';
import { type PaymentProvider } from '../../sessions/session-ports';
import { mollieError } from './mollie-error';

const LOCALES = { nl: 'nl_NL', en: 'en_GB', de: 'de_DE', fr: 'fr_FR' } as const;

/** Mollie's statuses in ours; one that we do not know yet is waited for. */
const STATUSES: Readonly<Record<string, PaymentState['status']>> = {
  open: 'open',
  pending: 'pending',
  authorized: 'pending',
  paid: 'paid',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
};

interface MolliePayment {
  readonly id: string;
  readonly status: string;
  readonly amount: { readonly currency: string; readonly value: string };
  readonly paidAt?: string | null | undefined;
  readonly amountRefunded?: { readonly value: string } | undefined;
  readonly amountChargedBack?: { readonly value: string } | undefined;
  readonly links?: { readonly checkout?: { readonly href: string } | null | undefined } | undefined;
}

interface MollieRefund {
  readonly id: string;
  readonly status: string;
  readonly amount: { readonly value: string };
  readonly metadata?: unknown;
  readonly createdAt: string;
}

interface MollieChargeback {
  readonly id: string;
  readonly amount: { readonly value: string };
  readonly reason?: { readonly description?: string | undefined } | null | undefined;
  readonly createdAt: string;
  readonly reversedAt?: string | null | undefined;
}

/** A refund that will not reach the payer. All others are on their way, or there. */
const UNDONE = new Set(['failed', 'canceled']);

/** Payments through Mollie's own client. One try a call: who asks decides whether to ask again. */
export function mollieProvider(apiKey: string, serverURL: string): PaymentProvider {
  // Loaded by the first organisation that uses it.
  const open = async () => (await import('./mollie-client')).mollieClient(apiKey, serverURL);

  return {
    createPayment: (payment) =>
      mollieError(async () => {
        const client = await open();
        const created = await client.createPayment({
          idempotencyKey: payment.idempotencyKey,
          paymentRequest: {
            amount: amountOf(payment.amountCents, payment.currency),
            description: payment.description,
            redirectUrl: payment.returnUrl,
            cancelUrl: payment.returnUrl,
            webhookUrl: payment.callbackUrl,
            method: payment.method as 'ideal',
            locale: LOCALES[payment.language],
            metadata: { attempt: payment.idempotencyKey },
          },
        });
        return stateOf(created);
      }),
    getPayment: (paymentId) => mollieError(async () => stateOf(await (await open()).getPayment(paymentId))),
    listMethods: (amountCents, currency, language) =>
      mollieError(async () => {
        const client = await open();
        const amount = amountOf(amountCents, currency);
        const { embedded } = await client.listMethods({ amount, locale: LOCALES[language] });
        // A method that is newer than the client can be listed but not paid with.
        return embedded.methods
          .map(({ id, description }) => ({ id: String(id), name: description }))
          .filter(({ id }) => client.payableMethods.has(id));
      }),
    listMovements: (paymentId) =>
      mollieError(async () => {
        const client = await open();
        const [refunds, chargebacks] = await Promise.all([
          client.listRefunds(paymentId),
          client.listChargebacks(paymentId),
        ]);
        return [...refunds.map(refundOf), ...chargebacks.map(chargebackOf)];
      }),
    refund: ({ paymentId, amountCents, currency, entryId, description }) =>
      mollieError(async () => {
        const client = await open();
        // Mollie forgets idempotency keys after an hour; what was kept with the refund it does not forget.
        const made = (await client.listRefunds(paymentId)).map(refundOf).find((refund) => refund.entryId === entryId);
        if (made) return made;
        const refundRequest = { amount: amountOf(amountCents, currency), description, metadata: { entry: entryId } };
        return refundOf(await client.createRefund({ paymentId, idempotencyKey: entryId, refundRequest }));
      }),
  };
}

function stateOf(payment: MolliePayment): PaymentState {
  const { id, status, amount, paidAt, links, amountRefunded, amountChargedBack } = payment;
  return {
    id,
    status: STATUSES[status] ?? 'pending',
    amountCents: centsOf(amount.value),
    currency: amount.currency,
    paidAt: paidAt ? new Date(paidAt) : null,
    payUrl: links?.checkout?.href ?? null,
    returnedCents: returnedOf(amountRefunded) + returnedOf(amountChargedBack),
  };
}

/** Of chargebacks it is below zero; only whether there is any matters. */
const returnedOf = (amount: { readonly value: string } | undefined): number =>
  amount ? Math.abs(centsOf(amount.value.replace('-', ''))) : 0;

const refundOf = ({ id, status, amount, metadata, createdAt }: MollieRefund): Movement => ({
  id,
  kind: 'refund',
  amountCents: centsOf(amount.value),
  at: new Date(createdAt),
  entryId: entryOf(metadata),
  undone: UNDONE.has(status),
  reason: UNDONE.has(status) ? `Mollie says ${status}` : '',
});

const chargebackOf = ({ id, amount, reason, createdAt, reversedAt }: MollieChargeback): Movement => ({
  id,
  kind: 'chargeback',
  amountCents: centsOf(amount.value.replace('-', '')),
  at: new Date(createdAt),
  entryId: null,
  undone: Boolean(reversedAt),
  reason: reason?.description ?? '',
});

/** What we kept with a refund; anybody may keep anything with theirs. */
function entryOf(metadata: unknown): string | null {
  const entry = typeof metadata === 'object' && metadata !== null && 'entry' in metadata ? metadata.entry : undefined;
  return typeof entry === 'string' && isUuid(entry) ? entry : null;
}

/** Whole cents as Mollie writes them: "10.00". */
export const amountOf = (cents: number, currency: string) => {
  const digits = String(cents).padStart(3, '0');
  return { currency, value: `${digits.slice(0, -2)}.${digits.slice(-2)}` };
};

/** -1, which equals no sum of ours, for what is not an amount with two decimals. */
const centsOf = (value: string): number => (/^\d{1,13}\.\d{2}$/.test(value) ? Number(value.replace('.', '')) : -1);
