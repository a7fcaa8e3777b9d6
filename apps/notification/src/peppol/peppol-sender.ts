import { setTimeout } from 'node:timers/promises';
import { backoffMs, TaskPool } from '@invoicing/concurrency';
import { InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { AppError } from '@invoicing/errors';
import type { Actor } from '@invoicing/rules';
import type { InvoiceRef } from '../billing-client';
import { SubmissionRejected } from './access-point';
import { followDelivery } from './follow-delivery';
import { peppolFailure, type PeppolDelivery } from './peppol-delivery';
import { peppolIdOf } from './peppol-delivery-store';
import type { PeppolPorts } from './peppol-ports';
import { submitDelivery } from './submit-delivery';

// The event of an issued document usually meets the delivery that billing's own call has begun: give that call time.
const GRACE_MS = 1_000;
/** Longer than the calls of any step may take together. */
const LEASE_MS = 90_000;
const RETRY = { firstMs: 1_000, longestMs: 3_600_000 };
/** With waits of up to an hour: about five days. */
const ATTEMPTS = 120;
const CALL_MS = 10_000;
const ON_THEIR_WAY: readonly string[] = ['pending', 'submitted', 'delivered'];

export type PeppolSender = ReturnType<typeof peppolSender>;

/**
 * Sends e-invoices over Peppol: each is handed to the access point and followed until the network has acknowledged it. Each step can be
 * taken again: the access point knows a delivery by its id.
 */
export function peppolSender(ports: PeppolPorts) {
  const { deliveries, accounts, invoices, log } = ports;
  const running = new TaskPool();
  return {
    /** Notes a document that was issued: always where the law asks for it, else where its seller is connected. */
    request: async (of: InvoiceRef, isRequired: boolean): Promise<void> => {
      if (isRequired || (await accounts.current(of.organizationId))) await deliveries.ensure(of, isRequired, GRACE_MS);
    },

    /** Begins the delivery of a document that the law wants delivered, and waits `waitMs` at most for the first step. */
    begin: async (of: InvoiceRef, waitMs: number): Promise<PeppolDelivery> => {
      const delivery = await deliveries.ensure(of, true, GRACE_MS);
      return delivery.status === 'pending' && delivery.attempts === 0 ? stepNow(delivery, waitMs) : delivery;
    },

    /** Sends a document that neither arrived nor is on its way; one that did or is, is answered as it is. */
    send: async (of: InvoiceRef, { id, by }: { id: string; by: Actor }, waitMs: number): Promise<PeppolDelivery> => {
      const { number, status } = await invoices.get(of, CALL_MS);
      if (status === InvoiceStatus.DRAFT) throw new AppError('blocked', 'draft', 'a draft is not sent: issue it first');
      const known = await deliveries.list(of, 1_000);
      const underway = known.find(({ _id, status: stands }) => _id === id || ON_THEIR_WAY.includes(stands));
      if (underway) return underway;
      const isFirst = known.every(({ _id }) => _id !== peppolIdOf(of.invoiceId));
      const delivery = await deliveries.again(of, isFirst ? peppolIdOf(of.invoiceId) : id, by, number);
      return stepNow(delivery, waitMs);
    },

    /** Sends a document of a test organisation once more, to see it arrive or fail; the same operation again is the same delivery. */
    rehearse: async (of: InvoiceRef, { id, by }: { id: string; by: Actor }, isToFail: boolean): Promise<void> => {
      const { number } = await invoices.get(of, CALL_MS);
      const delivery = await deliveries.again(of, id, by, number, { isToFail });
      if (delivery.attempts === 0) await stepNow(delivery, 0);
    },

    /** Takes the next step of one delivery that is due. Answers whether there was one. */
    workDue: async (): Promise<boolean> => {
      const delivery = await deliveries.claimDue(LEASE_MS);
      if (delivery) await step(delivery);
      return delivery !== null;
    },

    /** Waits for the steps that callers began. */
    close: (): Promise<void> => running.idle(),
  };

  async function stepNow(delivery: PeppolDelivery, waitMs: number): Promise<PeppolDelivery> {
    if (await deliveries.claim(delivery, LEASE_MS)) {
      const stepping = step(delivery).catch((error: unknown) => {
        // The lease runs out and the step is taken again.
        log.error({ deliveryId: delivery._id, error }, 'the outcome of a step was not stored');
      });
      running.add(stepping);
      await Promise.race([stepping, setTimeout(Math.max(0, waitMs), undefined, { ref: false })]);
    }
    return (await deliveries.find(delivery)) ?? delivery;
  }

  async function step(delivery: PeppolDelivery): Promise<void> {
    try {
      if (delivery.status === 'submitted') return await followDelivery(ports, delivery);
      const failure = await submitDelivery(ports, delivery);
      if (failure) await deliveries.failed(delivery, failure);
    } catch (error) {
      await gotNowhere(ports, delivery, error);
    }
  }
}

/** What follows from a step that failed: it is taken again later, unless it never can be. */
async function gotNowhere({ deliveries, log }: PeppolPorts, delivery: PeppolDelivery, error: unknown): Promise<void> {
  const attempts = delivery.attempts + 1;
  const isOver = delivery.status === 'pending' && attempts >= ATTEMPTS;
  log.warn({ deliveryId: delivery._id, attempts, error }, 'e-invoice not sent');
  if (error instanceof SubmissionRejected) return deliveries.failed(delivery, peppolFailure('rejected', error.message));
  if (isOver) return deliveries.failed(delivery, peppolFailure('unavailable', saidBy(error)));
  const waitMs = backoffMs(RETRY, attempts);
  const dueAt = new Date(deliveries.now(delivery.organizationId).getTime() + waitMs);
  await deliveries.postpone(delivery, dueAt, peppolFailure('unavailable', saidBy(error)));
}

/** Of an access point that refuses its key people are told; of our own faults the log. */
const saidBy = (error: unknown): string =>
  error instanceof AppError && error.code === 'provider_failed' ? error.message : 'the access point was not reached';
