import { randomUUID } from 'node:crypto';
import { type Movement } from '../sessions/movement';
import { type PaymentState } from '../sessions/observe-payment';
import { type NewPayment, type PaymentProvider } from '../sessions/session-ports';

/** A provider to try, with what only its own side can do. */
export interface ProviderSubject {
  readonly provider: PaymentProvider;
  /** The same provider with credentials that are not good. */
  readonly unauthorized: PaymentProvider;
  /** The same provider, where nobody listens. */
  readonly unreachable: PaymentProvider;
  decide: (paymentId: string, outcome: PaymentState['status']) => Promise<void>;
  /** Somebody gives money back at the provider itself, or the payer's bank takes it back. */
  giveBack: (paymentId: string, kind: Movement['kind'], amountCents: number) => Promise<void>;
  /** As time does. */
  forgetKeys: () => void;
}

/** What every provider must do, whoever it is. */
export function providerConformance(subject: () => ProviderSubject): void {
  const wanted = (changes: Partial<NewPayment> = {}): NewPayment => ({
    idempotencyKey: randomUUID(),
    amountCents: 12_345,
    currency: 'EUR',
    description: 'Workshop <b>brood</b> & meer',
    method: 'ideal',
    language: 'nl',
    returnUrl: 'http://127.0.0.1:1/return',
    callbackUrl: 'http://127.0.0.1:1/callback',
    ...changes,
  });

  test('a new payment is open and can be paid somewhere', async () => {
    const { provider } = subject();
    const made = await provider.createPayment(wanted());
    expect(made).toMatchObject({ status: 'open', amountCents: 12_345, currency: 'EUR', paidAt: null });
    expect(URL.canParse(made.payUrl ?? '')).toBe(true);
    expect(await provider.getPayment(made.id)).toEqual(made);
  });

  test.each([1, 10, 99, 100, 101, 999_999_999])('an amount of %i cents survives the way', async (amountCents) => {
    expect(await subject().provider.createPayment(wanted({ amountCents }))).toMatchObject({ amountCents });
  });

  test('the same key makes one payment, another key another', async () => {
    const { provider } = subject();
    const payment = wanted();
    const [first, second] = await Promise.all([provider.createPayment(payment), provider.createPayment(payment)]);
    expect(second?.id).toBe(first?.id);
    expect((await provider.createPayment(wanted())).id).not.toBe(first?.id);
  });

  test.each(['pending', 'paid', 'failed', 'canceled', 'expired'] as const)('%s is told', async (status) => {
    const { provider, decide } = subject();
    const { id } = await provider.createPayment(wanted());
    await decide(id, status);
    const seen = await provider.getPayment(id);
    expect(seen).toMatchObject({ id, status, amountCents: 12_345 });
    expect(seen.paidAt === null).toBe(status !== 'paid');
  });

  test('methods have ids and names', async () => {
    const methods = await subject().provider.listMethods(1_000, 'EUR', 'en');
    expect(methods).toContainEqual({ id: 'ideal', name: 'iDEAL | Wero' });
    expect(methods).toContainEqual({ id: 'bancontact', name: 'Bancontact' });
  });

  const back = (paymentId: string, amountCents: number, entryId: string = randomUUID()) => ({
    ...{ paymentId, amountCents, currency: 'EUR', entryId, description: 'Terugbetaling' },
  });

  test('money goes back in parts, each once, and never more than there is', async () => {
    const { provider, decide, forgetKeys } = subject();
    const { id } = await provider.createPayment(wanted());
    await decide(id, 'paid');
    expect(await provider.listMovements(id)).toEqual([]);
    const part = back(id, 2_345);
    const made = await provider.refund(part);
    expect(made).toMatchObject({ kind: 'refund', amountCents: 2_345, entryId: part.entryId, undone: false });
    expect(await provider.refund(part)).toMatchObject({ id: made.id });
    // Its idempotency key is forgotten some day; the money has still gone back only once.
    forgetKeys();
    expect(await provider.refund(part)).toMatchObject({ id: made.id });
    await expect(provider.refund(back(id, 10_001))).rejects.toMatchObject({ kind: 'invalid' });
    const rest = await provider.refund(back(id, 10_000));
    expect(await provider.getPayment(id)).toMatchObject({ status: 'paid', returnedCents: 12_345 });
    expect((await provider.listMovements(id)).map((each) => each.id).sort()).toEqual([made.id, rest.id].sort());
  });

  test('what was done at the provider itself is told: refunds of nobody, and chargebacks', async () => {
    const { provider, decide, giveBack } = subject();
    const { id } = await provider.createPayment(wanted());
    await decide(id, 'paid');
    await giveBack(id, 'refund', 345);
    await giveBack(id, 'chargeback', 12_000);
    expect(await provider.getPayment(id)).toMatchObject({ returnedCents: 12_345 });
    const movements = [...(await provider.listMovements(id))].sort((a, b) => a.amountCents - b.amountCents);
    expect(movements).toMatchObject([
      { kind: 'refund', amountCents: 345, entryId: null, undone: false },
      { kind: 'chargeback', amountCents: 12_000, entryId: null, undone: false },
    ]);
    for (const { at } of movements) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(600_000);
  });

  test('what cannot work says so by its kind', async () => {
    const { provider, unauthorized, unreachable } = subject();
    const { id } = await provider.createPayment(wanted());
    await expect(provider.refund(back(id, 12_345))).rejects.toMatchObject({ kind: 'invalid' });
    await expect(provider.refund(back('tr_unknown', 1))).rejects.toMatchObject({ kind: 'absent' });
    await expect(provider.listMovements('tr_unknown')).rejects.toMatchObject({ kind: 'absent' });
    await expect(provider.createPayment(wanted({ method: 'shells' }))).rejects.toMatchObject({ kind: 'invalid' });
    await expect(provider.getPayment('tr_unknown')).rejects.toMatchObject({ kind: 'absent' });
    await expect(unauthorized.createPayment(wanted())).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(unreachable.getPayment(id)).rejects.toMatchObject({ kind: 'unavailable' });
  });
}
