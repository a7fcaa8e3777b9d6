import { randomUUID } from 'node:crypto';
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
  refundedCents: (paymentId: string) => Promise<number>;
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

  test('a paid payment is given back once', async () => {
    const { provider, decide, refundedCents } = subject();
    const { id } = await provider.createPayment(wanted());
    await decide(id, 'paid');
    await provider.refund(id, 12_345, 'EUR', 'key-1-' + id);
    await provider.refund(id, 12_345, 'EUR', 'key-1-' + id);
    // The key is forgotten some day; the money is still gone back only once.
    await provider.refund(id, 12_345, 'EUR', 'key-2-' + id);
    expect(await refundedCents(id)).toBe(12_345);
  });

  test('what cannot work says so by its kind', async () => {
    const { provider, unauthorized, unreachable } = subject();
    const { id } = await provider.createPayment(wanted());
    await expect(provider.refund(id, 12_345, 'EUR', 'key')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(provider.createPayment(wanted({ method: 'shells' }))).rejects.toMatchObject({ kind: 'invalid' });
    await expect(provider.getPayment('tr_unknown')).rejects.toMatchObject({ kind: 'absent' });
    await expect(unauthorized.createPayment(wanted())).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(unreachable.getPayment(id)).rejects.toMatchObject({ kind: 'unavailable' });
  });
}
