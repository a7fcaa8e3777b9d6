import { ClientCore } from 'mollie-api-typescript/core.js';
import { chargebacksList } from 'mollie-api-typescript/funcs/chargebacksList.js';
import { methodsList } from 'mollie-api-typescript/funcs/methodsList.js';
import { paymentsCreate } from 'mollie-api-typescript/funcs/paymentsCreate.js';
import { paymentsGet } from 'mollie-api-typescript/funcs/paymentsGet.js';
import { refundsCreate } from 'mollie-api-typescript/funcs/refundsCreate.js';
import { refundsList } from 'mollie-api-typescript/funcs/refundsList.js';
import { HTTPClient } from 'mollie-api-typescript/lib/http.js';
import { MethodEnum } from 'mollie-api-typescript/models/methodenum.js';

/**
 * Time limits. What is only looked up is asked again soon, and a page waits for it: its limit lies below the page's own. What moves
 * money is worth more patience; a form's whole way (methods, payments under way, a new payment) stays below the gateway's 30 s.
 */
const READ_TIMEOUT_MS = 4_000;
const WRITE_TIMEOUT_MS = 8_000;
const LIST_LIMIT = 250;

/**
 * The client's own limit is a signal that only its request holds on to: collected as garbage, it never ends an answer that stalls.
 * A signal that is given to `fetch` itself lives as long as the answer.
 */
const httpClient = new HTTPClient({
  fetcher: (input, init) => {
    const request = new Request(input, init);
    return fetch(request, {
      signal: AbortSignal.timeout(request.method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS),
    });
  },
});

/** The calls of Mollie's official client that we make; the rest of its API stays out of the bundle. One try a call. */
export function mollieClient(apiKey: string, serverURL: string) {
  const client = new ClientCore({
    serverURL,
    httpClient,
    security: { apiKey },
    retryConfig: { strategy: 'none' },
  });
  return {
    createPayment: (request: Parameters<typeof paymentsCreate>[1]) => unwrap(paymentsCreate(client, request)),
    getPayment: (paymentId: string) => unwrap(paymentsGet(client, { paymentId })),
    listMethods: (request: Parameters<typeof methodsList>[1]) => unwrap(methodsList(client, request)),
    /** The oldest 250: nobody gives one payment back in more parts. */
    listRefunds: async (paymentId: string) =>
      (await unwrap(refundsList(client, { paymentId, limit: LIST_LIMIT }))).result.embedded.refunds,
    listChargebacks: async (paymentId: string) =>
      (await unwrap(chargebacksList(client, { paymentId, limit: LIST_LIMIT }))).result.embedded?.chargebacks ?? [],
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
