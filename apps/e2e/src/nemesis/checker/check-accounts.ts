import { grouped } from './grouped';
import type { Snapshot, StoredEntry, StoredInvoice } from '../snapshot';

/** What an invoice still owes, folded here by itself: nothing of the service's own arithmetic is used. */
export function openCentsOf(invoice: StoredInvoice, entries: readonly StoredEntry[], creditedCents: number): number {
  const undone = new Set(entries.filter(({ type }) => type === 'reversal').map(({ of }) => of));
  let owed = invoice.totals.inclCents - creditedCents;
  let received = 0;
  for (const { _id, type, amountCents } of entries) {
    if (undone.has(_id)) continue;
    if (type === 'payment') received += amountCents;
    if (type === 'refund' || type === 'chargeback') received -= amountCents;
    if (type === 'write_off') owed -= amountCents;
  }
  return Math.max(0, Math.max(0, owed) - received);
}

/** Every account equals what the provider's own books say, and what the API tells of it follows from its entries. */
export function checkAccounts({ invoices, entries, providerPayments, told }: Snapshot): string[] {
  const faults: string[] = [];
  const byInvoice = grouped(entries, ({ invoiceId }) => invoiceId);
  for (const [invoiceId, members] of byInvoice) {
    const ordinals = members.map(({ ordinal }) => ordinal).sort((a, b) => a - b);
    if (ordinals.some((ordinal, index) => ordinal !== index + 1))
      faults.push(`account ${invoiceId}: its places are ${ordinals.join(' ')}`);
    if (members.filter(({ settles }) => settles).length > 1)
      faults.push(`account ${invoiceId} was settled more than once`);
  }
  const notes = grouped(
    invoices.filter(({ kind }) => kind === 'credit_note'),
    ({ credited }) => credited?.invoiceId ?? '',
  );
  for (const invoice of invoices) {
    if (!told.has(invoice._id) || invoice.kind !== 'invoice') continue;
    const credited = (notes.get(invoice._id) ?? []).reduce((sum, { totals }) => sum + totals.inclCents, 0);
    const open = openCentsOf(invoice, byInvoice.get(invoice._id) ?? [], credited);
    if (told.get(invoice._id) !== open)
      faults.push(`account ${invoice._id}: ${told.get(invoice._id)} cents are told open, ${open} are`);
  }
  return [...faults, ...checkProvider(entries, providerPayments)];
}

/** What is still undone is not on the way to the provider any more; the rest stands in both books. */
function checkProvider(entries: readonly StoredEntry[], payments: Snapshot['providerPayments']): string[] {
  const faults: string[] = [];
  const undone = new Set(entries.filter(({ type }) => type === 'reversal').map(({ of }) => of));
  const standing = entries.filter(({ _id, provider }) => provider === 'sandbox' && !undone.has(_id));
  const ofPayment = grouped(standing, ({ paymentId }) => paymentId ?? '');
  for (const { _id, status, amountCents, refundedCents } of payments) {
    const here = ofPayment.get(_id) ?? [];
    const sum = (...types: string[]): number =>
      here.filter(({ type }) => types.includes(type)).reduce((all, each) => all + each.amountCents, 0);
    const paid = here.filter(({ type }) => type === 'payment');
    const wanted = status === 'paid' ? 1 : 0;
    if (paid.length !== wanted)
      faults.push(`payment ${_id} is ${status} at the provider and stands ${paid.length} times here`);
    if (wanted === 1 && paid.length === 1 && paid[0]!.amountCents !== amountCents)
      faults.push(`payment ${_id} is over ${amountCents} at the provider and ${paid[0]!.amountCents} here`);
    if (sum('refund', 'chargeback') !== refundedCents)
      faults.push(
        `payment ${_id}: ${refundedCents} cents went back at the provider, ${sum('refund', 'chargeback')} here`,
      );
  }
  const known = new Set(payments.map(({ _id }) => _id));
  for (const paymentId of ofPayment.keys())
    if (!known.has(paymentId)) faults.push(`payment ${paymentId} is not known to the provider`);
  return faults;
}
