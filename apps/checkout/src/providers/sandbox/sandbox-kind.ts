import { AppError, type KindOfCode } from '@invoicing/errors';
import { type Movement } from '../../sessions/movement';
import { type PaymentState } from '../../sessions/observe-payment';
import { type PaymentMethod, type PaymentProvider } from '../../sessions/session-ports';
import { type ProviderKind } from '../provider-kind';

const TIMEOUT_MS = 5_000;
const KIND_BY_STATUS: Record<number, KindOfCode<'provider_failed'>> = {
  401: 'unauthenticated',
  404: 'absent',
  422: 'invalid',
};

/** The sandbox lives in this service but is spoken to over HTTP, as any provider is. `sandboxUrl` is where this replica listens. */
export const sandboxKind = (options: {
  readonly sandboxUrl: () => string;
  /** The sandbox's own: nobody else's secret travels to it. */
  readonly token: string;
  readonly publicUrl: string;
}): ProviderKind => ({
  check: ({ apiKey, baseUrl }) => [
    ...(apiKey === null ? [] : [{ path: '/apiKey', message: 'the sandbox has no key' }]),
    ...(baseUrl === null ? [] : [{ path: '/baseUrl', message: 'the sandbox has one address, its own' }]),
  ],
  mode: () => 'test',
  // An address that the version before let somebody give is not followed.
  open: ({ organizationId }) => sandboxProvider(options.sandboxUrl(), options.token, organizationId),
  // Its pay page is one of ours, by our public address, whatever name the payer came in by.
  formTargets: () => [new URL(options.publicUrl).origin],
});

function sandboxProvider(baseUrl: string, token: string, organizationId: string): PaymentProvider {
  return {
    createPayment: async (payment) => stateOf(await call('POST', 'payments', { ...payment, organizationId })),
    getPayment: async (id) => stateOf(await call('GET', `payments/${encodeURIComponent(id)}`)),
    listMethods: async () => (await call('GET', 'methods')) as PaymentMethod[],
    listMovements: async (id) => {
      const movements = (await call('GET', `payments/${encodeURIComponent(id)}/movements`)) as Movement[];
      return movements.map(movementOf);
    },
    refund: async ({ paymentId, amountCents, entryId }) => {
      const path = `payments/${encodeURIComponent(paymentId)}/refunds`;
      return movementOf(await call('POST', path, { amountCents, entryId }));
    },
  };

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(`${baseUrl}/sandbox/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      });
    } catch (cause) {
      throw new AppError('unavailable', 'provider_failed', 'the sandbox does not answer', { cause });
    }
    if (!response.ok) {
      await response.body?.cancel();
      const kind = KIND_BY_STATUS[response.status] ?? 'unavailable';
      throw new AppError(kind, 'provider_failed', `the sandbox answered ${response.status}`);
    }
    return response.json();
  }
}

function stateOf(body: unknown): PaymentState {
  const { paidAt, refundedCents, ...state } = body as Omit<PaymentState, 'paidAt'> & {
    paidAt: string | null;
    refundedCents: number;
  };
  return { ...state, paidAt: paidAt === null ? null : new Date(paidAt), returnedCents: refundedCents };
}

/** At the sandbox nothing that went back comes here again. */
const movementOf = (body: unknown): Movement => {
  const { at, ...movement } = body as Omit<Movement, 'at'> & { at: string };
  return { ...movement, at: new Date(at), undone: false, reason: '' };
};
