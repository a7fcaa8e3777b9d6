import type { History, Operation } from '../history';
import type { Snapshot } from '../snapshot';

/** Where the value of an operation is found again, kind by kind: every place in which it stands. */
function placesOf(snapshot: Snapshot): Record<string, readonly string[]> {
  const { customers, products, drafts, invoices, entries, credits, subscriptions, sessions } = snapshot;
  const originals = invoices.filter(({ kind }) => kind === 'invoice');
  const issued = new Set(originals.map(({ _id }) => _id));
  const texts = (values: readonly (string | null | undefined)[]): string[] => values.filter((each) => each != null);
  return {
    customer: texts(customers.map(({ externalId }) => externalId)),
    product: texts(products.map(({ sku }) => sku)),
    // A draft that was issued is closed and its document is the invoice of the same id: one thing.
    draft: texts([...drafts.filter(({ _id }) => !issued.has(_id)), ...originals].map(({ reference }) => reference)),
    invoice: texts(originals.map(({ reference }) => reference)),
    issue: originals.map(({ _id }) => _id),
    credit: texts(invoices.filter(({ kind }) => kind === 'credit_note').map(({ reason }) => reason)),
    payment: texts(entries.filter(({ type }) => type === 'payment').map(({ reference }) => reference)),
    refund: texts(entries.filter(({ type }) => type === 'refund').map(({ reason }) => reason)),
    reversal: texts(entries.filter(({ type }) => type === 'reversal').map((each) => each.of)),
    'write off': texts(entries.filter(({ type }) => type === 'write_off').map(({ note }) => note)),
    subscription: texts(subscriptions.map(({ reference }) => reference)),
    'mail credits': texts(credits.filter(({ kind }) => kind === 'grant').map(({ reason }) => reason)),
    checkout: texts(sessions.filter(({ kind }) => kind === 'checkout').map(({ title }) => title)),
  };
}

// What several entries or documents may stand for: a refund out of several payments, and the credit note that goes with a refund.
const SEVERAL: readonly string[] = ['refund'];
// A draft is issued once, and an entry reversed once, whoever asks: there the subject is the value.
const valueOf = ({ kind, id, subject }: Operation): string => (kind === 'issue' || kind === 'reversal' ? subject : id);
/** A refund of a surplus that is not there (any more) is done when nothing was done. */
const isNothing = ({ kind, made }: Operation): boolean => kind === 'refund' && made === '';

/** Every acknowledged write is there once, what was refused is not, and nothing is there that nobody asked for. */
export function checkWrites({ operations }: History, snapshot: Snapshot): string[] {
  const faults: string[] = [];
  const places = placesOf(snapshot);
  for (const [kind, values] of Object.entries(places)) {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const asked = operations.filter((each) => each.kind === kind);
    for (const operation of asked) {
      const value = valueOf(operation);
      const count = counts.get(value) ?? 0;
      const name = `${kind} ${operation.id}`;
      const others = asked.filter((each) => valueOf(each) === value && each.outcome !== 'refused');
      if (operation.outcome === 'acknowledged' && count === 0 && !isNothing(operation))
        faults.push(`${name} was acknowledged and is not there`);
      if (operation.outcome === 'refused' && count > 0 && others.length === 0)
        faults.push(`${name} was refused (${operation.code}) and is there`);
      if (count > 1 && !SEVERAL.includes(kind)) faults.push(`${name} is there ${count} times`);
    }
    if (['issue', 'invoice', 'credit', 'reversal'].includes(kind)) continue;
    const known = new Set(asked.map(valueOf));
    const isOurs = (value: string): boolean => value.startsWith('op-');
    for (const value of counts.keys()) {
      const isDraftOfInvoice = kind === 'draft' && operations.some(({ id }) => id === value);
      if (isOurs(value) && !known.has(value) && !isDraftOfInvoice)
        faults.push(`${kind} ${value} was asked for by nobody`);
    }
  }
  return faults;
}

/** The same request again is answered with the same bytes. */
export const checkReplays = ({ operations }: History): string[] =>
  operations.flatMap(({ kind, id, answer, replays }) =>
    replays
      .filter((replay) => replay !== answer)
      .map((replay) => `${kind} ${id} was answered ${answer} and then ${replay}`),
  );

/** Every request has an answer in its time. */
export const checkAnswers = ({ unanswered }: History): string[] => unanswered.map((each) => `${each} got no answer`);
