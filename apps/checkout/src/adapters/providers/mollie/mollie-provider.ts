import { AppError } from '@invoicing/errors';
import { type PaymentState } from '../../../domain/observe-payment';
import { type PaymentProvider } from '../../../usecases/ports';
import { mollieError } from './mollie-error';

const TIMEOUT_MS = 8_000;
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
  // The client brings schemas for the whole API: it is loaded by the first organisation that uses it.
  const open = async () => {
    const { Client } = await import('mollie-api-typescript');
    return new Client({ serverURL, security: { apiKey }, retryConfig: { strategy: 'none' }, timeoutMs: TIMEOUT_MS });
  };

  return {
    createPayment: (payment) =>
      mollieError(async () => {
        const client = await open();
        const created = await client.payments.create({
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
        return stateOf(created as unknown as MolliePayment);
      }),
    getPayment: (paymentId) =>
      mollieError(async () => {
        const client = await open();
        return stateOf((await client.payments.get({ paymentId })) as unknown as MolliePayment);
      }),
    listMethods: (amountCents, currency, language) =>
      mollieError(async () => {
        const client = await open();
        const listed = await client.methods.list({
          amount: amountOf(amountCents, currency),
          locale: LOCALES[language],
        });
        const { MethodEnum } = await import('mollie-api-typescript/models');
        const payable = new Set<string>(Object.values(MethodEnum));
        // A method that is newer than the client can be listed but not paid with.
        return listed.embedded.methods
          .map(({ id, description }) => ({ id: String(id), name: description }))
          .filter(({ id }) => payable.has(id));
      }),
    refund: async (paymentId, amountCents, currency, idempotencyKey) => {
      const client = await open();
      const amount = amountOf(amountCents, currency);
      try {
        await mollieError(() => client.refunds.create({ paymentId, idempotencyKey, refundRequest: { amount } }));
      } catch (error) {
        // Mollie forgets idempotency keys after an hour; a payment that was given back is not given back again.
        if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
        const { amountRefunded } = await mollieError(() => client.payments.get({ paymentId }));
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
