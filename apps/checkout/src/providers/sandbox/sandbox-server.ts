import { createHash, timingSafeEqual } from 'node:crypto';
import express, { Router, type Request, type Response } from 'express';
import { type Logger } from '@invoicing/telemetry';
import { renderSandboxPage } from '../../pages/render';
import { reportPayment } from './sandbox-callback-client';
import {
  type NewSandboxPayment,
  type SandboxPayment,
  type SandboxPayments,
  type SandboxStatus,
} from './sandbox-payment';

const METHODS = [
  { id: 'ideal', name: 'iDEAL | Wero' },
  { id: 'bancontact', name: 'Bancontact' },
  { id: 'creditcard', name: 'Creditcard' },
];
const OUTCOMES: readonly SandboxStatus[] = ['paid', 'failed', 'canceled', 'pending'];
const RETURNS = ['refund', 'chargeback'] as const;

export interface SandboxServerOptions {
  readonly payments: SandboxPayments;
  readonly token: string;
  readonly publicUrl: string;
  readonly log: Logger;
}

/** The sandbox provider itself: an API for us, a pay page for payers, callbacks that carry nothing but a payment's id. */
export function sandboxServer({ payments, token, publicUrl, log }: SandboxServerOptions): Router {
  const router = Router();
  const api = Router();
  router.use('/sandbox/api', api);

  // Whoever holds a payment's id may see it; making and giving back are for the service alone.
  api.get('/payments/:id', async (request, response) => {
    const payment = await payments.find(request.params.id);
    if (payment) response.json(shown(payment));
    else response.sendStatus(404);
  });
  api.use((request, response, next) => (isService(request) ? next() : response.sendStatus(401)));
  api.get('/methods', (_request, response) => void response.json(METHODS));
  api.post('/payments', express.json({ limit: '16kb' }), async (request, response) => {
    const payment = request.body as NewSandboxPayment;
    if (!METHODS.some(({ id }) => id === payment.method) || !(payment.amountCents > 0)) response.sendStatus(422);
    else response.status(201).json(shown(await payments.create(taken(payment))));
  });
  api.get('/payments/:id/movements', async (request, response) => {
    const payment = await payments.find(request.params.id);
    if (payment) response.json(payment.movements ?? []);
    else response.sendStatus(404);
  });
  api.post('/payments/:id/refunds', express.json({ limit: '4kb' }), async (request, response) => {
    const { amountCents, entryId } = request.body as { amountCents: number; entryId: string };
    const refund = await payments.giveBack(request.params.id, { kind: 'refund', amountCents, entryId });
    if (refund) response.status(201).json(refund);
    else response.sendStatus((await payments.find(request.params.id)) ? 422 : 404);
  });

  router.use(payPage({ payments, log }));
  return router;

  function isService(request: Request): boolean {
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(request.get('authorization') ?? ''), digest(`Bearer ${token}`));
  }

  function shown({ _id, status, amountCents, currency, method, paidAt, refundedCents }: SandboxPayment) {
    const payUrl = status === 'open' || status === 'pending' ? `${publicUrl}/sandbox/pay/${_id}` : null;
    return { id: _id, status, amountCents, currency, method, paidAt, refundedCents, payUrl };
  }
}

/** The pay page, where one decides how a payment goes, and what becomes of its money afterwards. */
function payPage({ payments, log }: Pick<SandboxServerOptions, 'payments' | 'log'>): Router {
  const router = Router();
  const page = router.route('/sandbox/pay/:id');
  page.get(async (request, response) => {
    const payment = await payments.find(request.params.id);
    response.status(payment ? 200 : 404).send(renderSandboxPage(payment));
  });
  page.post(express.urlencoded({ extended: false, limit: '4kb' }), async (request, response) => {
    await decide(request, response);
  });
  return router;

  async function decide(request: Request<{ id: string }>, response: Response): Promise<void> {
    const payment = await payments.find(request.params.id);
    const kind = RETURNS.find((each) => each === (request.body as { outcome?: unknown } | undefined)?.outcome);
    if (payment && kind) return giveBack(payment, kind, request, response);
    const outcome = OUTCOMES.find((each) => each === (request.body as { outcome?: unknown } | undefined)?.outcome);
    if (!payment || !outcome) {
      response.status(payment ? 400 : 404).send(renderSandboxPage(payment));
      return;
    }
    await payments.decide(payment, outcome);
    await reportPayment(payment, log);
    response.redirect(303, payment.returnUrl);
  }

  /** What the seller's bank or the payer's bank does afterwards, of its own accord. */
  async function giveBack(
    payment: SandboxPayment,
    kind: (typeof RETURNS)[number],
    request: Request,
    response: Response,
  ): Promise<void> {
    const { amountCents } = request.body as { amountCents?: unknown };
    const isAll = amountCents === undefined || amountCents === '';
    const made = await payments.giveBack(payment._id, { kind, ...(!isAll && { amountCents: Number(amountCents) }) });
    if (!made) {
      response.status(400).send(renderSandboxPage(payment));
      return;
    }
    await reportPayment(payment, log);
    response.redirect(303, `/sandbox/pay/${payment._id}`);
  }
}

const taken = ({
  idempotencyKey,
  amountCents,
  currency,
  description,
  method,
  returnUrl,
  callbackUrl,
  organizationId,
  testScenario,
}: NewSandboxPayment): NewSandboxPayment => ({
  idempotencyKey,
  amountCents,
  currency,
  description,
  method,
  returnUrl,
  callbackUrl,
  ...(organizationId !== undefined && { organizationId }),
  ...(testScenario !== undefined && { testScenario }),
});
