import { AppError } from '@invoicing/errors';
import { type PaymentState } from '../../sessions/observe-payment';
import { type PaymentProvider } from '../../sessions/session-ports';
import { mollieError } from './mollie-error';

const LOCALES = { nl: 'nl_NL', en: 'en_GB' } as const;

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
  readonly links?: { readonly checkout?: { readonly href: string } | null | undefined } | undefined;
}

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
    refund: async (paymentId, amountCents, currency, idempotencyKey) => {
      const client = await open();
      const amount = amountOf(amountCents, currency);
      try {
        await mollieError(() => client.createRefund({ paymentId, idempotencyKey, refundRequest: { amount } }));
      } catch (error) {
        // Mollie forgets idempotency keys after an hour; a payment that was given back is not given back again.
        if (!(error instanceof AppError) || (error.kind !== 'invalid' && error.kind !== 'conflict')) throw error;
        const { amountRefunded } = await mollieError(() => client.getPayment(paymentId));
        if (amountRefunded?.value !== amount.value) throw error;
      }
    },
  };
}

function stateOf({ id, status, amount, paidAt, links }: MolliePayment): PaymentState {
  return {
    id,
    status: STATUSES[status] ?? 'pending',
    amountCents: centsOf(amount.value),
    currency: amount.currency,
    paidAt: paidAt ? new Date(paidAt) : null,
    payUrl: links?.checkout?.href ?? null,
  };
}

/** Whole cents as Mollie writes them: "10.00". */
export const amountOf = (cents: number, currency: string) => {
  const digits = String(cents).padStart(3, '0');
  return { currency, value: `${digits.slice(0, -2)}.${digits.slice(-2)}` };
};

/** -1, which equals no sum of ours, for what is not an amount with two decimals. */
const centsOf = (value: string): number => (/^\d{1,13}\.\d{2}$/.test(value) ? Number(value.replace('.', '')) : -1);
