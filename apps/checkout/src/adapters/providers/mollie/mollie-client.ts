import { ClientCore } from 'mollie-api-typescript/core.js';
import { methodsList } from 'mollie-api-typescript/funcs/methodsList.js';
import { paymentsCreate } from 'mollie-api-typescript/funcs/paymentsCreate.js';
import { paymentsGet } from 'mollie-api-typescript/funcs/paymentsGet.js';
import { refundsCreate } from 'mollie-api-typescript/funcs/refundsCreate.js';
import { MethodEnum } from 'mollie-api-typescript/models/methodenum.js';

const TIMEOUT_MS = 8_000;

/** The four calls of Mollie's official client that we make; the rest of its API stays out of the bundle. One try a call. */
export function mollieClient(apiKey: string, serverURL: string) {
  const client = new ClientCore({
    serverURL,
    security: { apiKey },
    retryConfig: { strategy: 'none' },
    timeoutMs: TIMEOUT_MS,
  });
  return {
    createPayment: (request: Parameters<typeof paymentsCreate>[1]) => unwrap(paymentsCreate(client, request)),
    getPayment: (paymentId: string) => unwrap(paymentsGet(client, { paymentId })),
    listMethods: (request: Parameters<typeof methodsList>[1]) => unwrap(methodsList(client, request)),
    createRefund: (request: Parameters<typeof refundsCreate>[1]) => unwrap(refundsCreate(client, request)),
    /** Ids of the methods that a payment can be made with. */
    payableMethods: new Set<string>(Object.values(MethodEnum)),
  };
}

type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

async function unwrap<T>(call: PromiseLike<Result<T>>): Promise<T> {
  const result = await call;
  if (!result.ok) throw result.error;
  return result.value;
}
