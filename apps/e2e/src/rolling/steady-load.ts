import { randomUUID } from 'node:crypto';

const CLIENTS = 3;
const ANSWER_MS = 20_000;

export interface SteadyLoad {
  /** How many requests are answered by now. */
  readonly answered: () => number;
  readonly stop: () => Promise<{
    readonly requests: number;
    /** What was not answered with 2xx, as it came. */
    readonly failures: readonly string[];
    /** Ids of the invoices that were acknowledged. */
    readonly created: readonly string[];
  }>;
}

/** Clients that read and write without a pause and never ask twice: a failure is a failure. */
export function startSteadyLoad(url: string, key: string): SteadyLoad {
  const failures: string[] = [];
  const created: string[] = [];
  let requests = 0;
  let isOver = false;

  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<{ id: string } | undefined> => {
    const headers = {
      ...{ authorization: `Bearer ${key}`, connection: 'close' },
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    const init = {
      method,
      headers,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body && { body: JSON.stringify(body) }),
    };
    try {
      const response = await fetch(url + path, init);
      const text = await response.text();
      requests++;
      if (response.ok) return path.startsWith('/api') ? (JSON.parse(text) as { data: { id: string } }).data : undefined;
      failures.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      requests++;
      const { cause } = error as Error;
      failures.push(`${method} ${path}: ${(error as Error).message} ${(cause as Error | undefined)?.message ?? ''}`);
    }
    return undefined;
  };
  const client = async (): Promise<void> => {
    const customer = await ask('POST', '/api/v1/customers', { name: 'Kees', email: 'kees@example.nl' });
    while (!isOver && customer) {
      const lines = [{ unitPriceCents: 1_234, vatTreatment: 'standard_21' }];
      const invoice = await ask('POST', '/api/v1/invoices', { customerId: customer.id, lines, send: true });
      if (invoice) created.push(invoice.id);
      await ask('GET', '/api/v1/invoices');
      await ask('POST', '/api/v1/checkouts', { title: 'Brood', lines });
      const { public_token: token } = (invoice ?? {}) as { public_token?: string };
      if (token !== undefined) await ask('GET', `/p/${token}`);
    }
  };
  const running = Promise.all(Array.from({ length: CLIENTS }, client));
  return {
    answered: () => requests,
    stop: async () => {
      isOver = true;
      await running;
      return { requests, failures, created };
    },
  };
}
