import { randomUUID } from 'node:crypto';
import {
  AccountChange,
  type AccountsService,
  MovementKind,
  type RecordMovementRequest,
} from '@invoicing/contracts/invoicing/billing/v1/account';
import { InvoiceStatus, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import {
  type RefundProviderPaymentRequest,
  type RefundProviderPaymentResponse,
} from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { notFoundError } from '@invoicing/errors';
import { type Handlers } from '@invoicing/rpc';

/** What stands on an account: signed, so that their sum is what was received. */
export interface FakeEntry {
  readonly id: string;
  readonly invoiceId: string;
  readonly type: 'payment' | 'refund' | 'chargeback';
  /** Below 0 for what went back. */
  readonly cents: number;
  /** The provider's id; of a refund of ours only once it was made. */
  providerId: string;
  undone: boolean;
}

const RETRY_MS = 200;

/** The accounts of billing, as far as checkout uses them: sums over entries that are there once. */
export class FakeAccounts {
  readonly entries: FakeEntry[] = [];
  /** Checkout's own service, which billing asks for refunds. */
  refundPayment: (ask: RefundProviderPaymentRequest) => Promise<RefundProviderPaymentResponse> = () =>
    Promise.reject(new Error('nobody gives money back'));
  private readonly credited = new Set<string>();
  private readonly checkouts = new Map<string, string | undefined>();

  constructor(
    private readonly invoices: Map<string, Invoice>,
    private readonly onPaid: (invoiceId: string) => void,
  ) {}

  /** Money by bank. */
  pay(invoiceId: string, cents: number): void {
    this.add({ invoiceId, type: 'payment', cents, providerId: randomUUID() });
  }

  /** All of it. */
  credit(invoiceId: string): void {
    this.credited.add(invoiceId);
  }

  received = (invoiceId: string): number =>
    this.entries
      .filter((each) => each.invoiceId === invoiceId && !each.undone)
      .reduce((sum, { cents }) => sum + cents, 0);

  openCents = ({ id, totals, prepayment }: Invoice): number => {
    const isTold = this.entries.some(({ providerId }) => providerId === prepayment?.id);
    const promised = prepayment && !isTold ? prepayment.amountCents : 0;
    return this.credited.has(id) ? 0 : Math.max(0, (totals?.inclCents ?? 0) - this.received(id) - promised);
  };

  private surplus = ({ id, totals }: Invoice): number => Math.max(0, this.received(id) - (totals?.inclCents ?? 0));

  handlers(): Partial<Handlers<typeof AccountsService>> {
    return {
      recordPayment: async ({ invoiceId, providerId, amountCents, checkoutId, provider, method, paidAt }) => {
        const invoice = this.find(invoiceId);
        const known = this.entries.find((each) => each.type === 'payment' && each.providerId === providerId);
        if (known) return changed(known.id, 0);
        const before = this.surplus(invoice);
        const entry = this.add({ invoiceId, type: 'payment', cents: amountCents, providerId });
        this.checkouts.set(entry.id, checkoutId);
        if (!invoice.payment && this.received(invoiceId) >= (invoice.totals?.inclCents ?? 0)) {
          const payment = { provider, method, id: providerId, paidAt, amountCents };
          this.invoices.set(invoiceId, { ...invoice, payment, status: InvoiceStatus.PAID });
          this.onPaid(invoiceId);
        }
        return changed(entry.id, this.surplus(invoice) - before);
      },
      refundPayment: async (
        { organizationId, invoiceId, amountCents = 0, entryId },
        { operationId = randomUUID() },
      ) => {
        const invoice = this.find(invoiceId);
        const payment = this.entries.find(({ id }) => id === entryId);
        if (!payment || this.entries.some(({ id }) => id === operationId)) return changed(operationId, 0);
        const cents = Math.min(amountCents, this.surplus(invoice));
        if (cents > 0) {
          const refund = this.add({ invoiceId, type: 'refund', cents: -cents, providerId: '' }, operationId);
          void this.carryOut(refund, organizationId, payment);
        }
        return changed(operationId, 0);
      },
      recordMovement: async (told) => {
        this.take(told);
        return changed(randomUUID(), 0);
      },
    };
  }

  /** As billing's worker does: asks until it is answered. */
  private async carryOut(refund: FakeEntry, organizationId: string, payment: FakeEntry): Promise<void> {
    const ask = {
      organizationId,
      invoiceId: refund.invoiceId,
      checkoutId: this.checkouts.get(payment.id),
      provider: payment.providerId.startsWith('tr_') ? 'mollie' : 'sandbox',
      paymentId: payment.providerId,
      entryId: refund.id,
      amountCents: -refund.cents,
    };
    for (;;) {
      try {
        const { refundId, refused } = await this.refundPayment(ask);
        if (refused === '') refund.providerId = refundId;
        else refund.undone = true;
        return;
      } catch {
        // Nobody knows: asking again is safe, and the only way to learn it.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }

  private take({ invoiceId, kind, providerId, paymentId, amountCents, entryId, undone }: RecordMovementRequest): void {
    if (!this.entries.some((each) => each.type === 'payment' && each.providerId === paymentId))
      throw notFoundError('the payment');
    const type = kind === MovementKind.REFUND ? 'refund' : 'chargeback';
    const known = this.entries.find((each) => each.id === entryId || each.providerId === providerId);
    const entry = known ?? this.add({ invoiceId, type, cents: -amountCents, providerId });
    entry.providerId = providerId;
    entry.undone = undone;
  }

  private add(entry: Omit<FakeEntry, 'id' | 'undone'>, id: string = randomUUID()): FakeEntry {
    const made = { ...entry, id, undone: false };
    this.entries.push(made);
    return made;
  }

  private find(invoiceId: string): Invoice {
    const invoice = this.invoices.get(invoiceId);
    if (!invoice) throw notFoundError('the invoice');
    return invoice;
  }
}

const changed = (id: string, surplusCents: number): AccountChange =>
  AccountChange.fromPartial({ entries: [{ id }], surplusCents });
