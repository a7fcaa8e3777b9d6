import { randomUUID } from 'node:crypto';
import { REAL_TIME, type Connection } from '@invoicing/mongo';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore } from '@invoicing/testing';
import type { InvoiceRef } from '../billing-client';
import { sampleInvoice } from '../testing/sample-invoice';
import { LEGAL_ENTITY, STORECOVE_KEY, StorecoveImitation } from '../testing/storecove-imitation';
import { accessPointKeys } from './access-point-keys';
import { accessPointKinds, accessPointOpener } from './access-point-kinds';
import { openAccessPointStore } from './access-point-store';
import { openPeppolDeliveryStore } from './peppol-delivery-store';
import { peppolSender } from './peppol-sender';
import type { PeppolPorts } from './peppol-ports';
import { openRecipientStore } from './recipient-store';

// Whoever sends dies before or after any of the calls to the store, to billing and to the access point, as by kill -9; another process goes on
// when the lease is over. Each document is submitted once and delivered once, whoever died where.

const BUYER = { name: 'Hotel', countryCode: 'BE', kvkNumber: '0123456749', btwId: 'BE0123456749' };
/** More than it takes when nobody dies. */
const MOST_STEPS = 10;

const storecove = new StorecoveImitation();
let store: Awaited<ReturnType<typeof startTestStore>>;
let ports: PeppolPorts;

beforeAll(async () => {
  [store] = await Promise.all([startTestStore(), storecove.start()]);
  const connection: Connection = await store.connect('notification');
  const accounts = await openAccessPointStore(connection, accessPointKeys('a key for tests', false));
  ports = {
    accounts,
    deliveries: await openPeppolDeliveryStore(connection, () => undefined, REAL_TIME),
    recipients: await openRecipientStore(connection),
    invoices: {
      get: async ({ organizationId, invoiceId: id }: InvoiceRef) =>
        sampleInvoice({ id, organizationId, buyer: BUYER as never }),
      ubl: async ({ invoiceId }: InvoiceRef) => ({ content: Buffer.from(`<Invoice>${invoiceId}</Invoice>`) }),
    } as unknown as PeppolPorts['invoices'],
    openAccessPoint: accessPointOpener(accessPointKinds('', true)),
    log: createLogger('peppol', 'silent'),
  };
});
afterAll(async () => {
  storecove.stop();
  await store?.close();
});

class Died extends Error {}

/** The same ports in a process that is gone `before` or `after` its n-th call, and does nothing more. */
function dying(n: number, when: 'before' | 'after'): { ports: PeppolPorts; isDead: () => boolean } {
  let calls = 0;
  let isDead = false;
  const act = async (work: () => unknown): Promise<unknown> => {
    const nth = ++calls;
    const dieAt = (moment: 'before' | 'after'): void => {
      isDead ||= nth === n && moment === when;
      if (isDead) throw new Died();
    };
    dieAt('before');
    const answer = await work();
    dieAt('after');
    return answer;
  };
  const around = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const own = (target as Record<string | symbol, unknown>)[name];
        // The clock is no call.
        if (typeof own !== 'function' || name === 'now') return own;
        return (...args: unknown[]) => act(() => (own as (...args: unknown[]) => unknown)(...args));
      },
    });
  const { deliveries, accounts, recipients, invoices, openAccessPoint, log } = ports;
  return {
    ports: {
      ...{ deliveries: around(deliveries), accounts: around(accounts), recipients: around(recipients), log },
      ...{ invoices: around(invoices), openAccessPoint: (account) => around(openAccessPoint(account)) },
    },
    isDead: () => isDead,
  };
}

/** An invoice of a seller who has an account of its own: nobody has looked up its customer before. */
async function invoiceOfNewSeller(): Promise<InvoiceRef> {
  const organizationId = randomUUID();
  await ports.accounts.insert({
    ...{ id: randomUUID(), organizationId, accessPoint: 'storecove', connectedAt: new Date() },
    mode: 'live',
    ...{ apiKey: STORECOVE_KEY, senderId: String(LEGAL_ENTITY), baseUrl: storecove.url },
  });
  return { organizationId, invoiceId: randomUUID() };
}

/** The event of the issued document arrives, and steps are taken until it is delivered. */
async function send(by: PeppolPorts, of: InvoiceRef): Promise<void> {
  const sender = peppolSender(by);
  await sender.request(of, true);
  const { model, list } = ports.deliveries;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    // Time goes by: leases are over, and what waits is due.
    await model.updateMany({ ...of, dueAt: { $exists: true } }, { $set: { dueAt: new Date(0) } });
    await sender.workDue();
    if ((await list(of, 1))[0]?.status === 'delivered') return;
  }
}

test.each(['before', 'after'] as const)(
  'whoever sends dies %s any of the calls: submitted once and delivered once, by whoever goes on',
  async (when) => {
    let deaths = 0;
    for (let n = 1; ; n++) {
      const of = await invoiceOfNewSeller();
      const mortal = dying(n, when);
      await send(mortal.ports, of).catch((error: unknown) => {
        if (!(error instanceof Died)) throw error;
      });
      // The event was not acknowledged: it comes again.
      await send(ports, of);
      const found = await ports.deliveries.list(of, 100);
      expect(found).toMatchObject([
        { status: 'delivered', error: '', messageId: expect.stringMatching(/@storecove$/) as string },
      ]);
      expect(found[0]!.outbox!.map(({ subject }) => subject)).toEqual(['events.peppol.delivered']);
      const submitted = [...storecove.submissions.values()].filter(({ ubl }) => ubl.includes(of.invoiceId));
      expect(submitted.map(({ idempotencyGuid, messageId }) => [idempotencyGuid, messageId])).toEqual([
        [found[0]!._id, found[0]!.messageId],
      ]);
      if (!mortal.isDead()) break;
      deaths += 1;
    }
    // Asked for, claimed, looked up, submitted, followed, delivered: none of them is the last.
    expect(deaths).toBeGreaterThan(12);
  },
);
