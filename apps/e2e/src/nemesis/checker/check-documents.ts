import { grouped } from './grouped';
import type { History } from '../history';
import type { Snapshot, StoredInvoice } from '../snapshot';
import { sumsOf } from './amounts';

/** Numbers are 1 … n in every series, each given once, the chain holds, and the number that was answered is the one that stands. */
export function checkNumbers({ operations }: History, { invoices, series }: Snapshot): string[] {
  const faults: string[] = [];
  const bySeries = grouped(invoices, (each) => each.series);
  for (const [name, members] of bySeries) {
    const seqs = members.map(({ seq }) => seq).sort((a, b) => a - b);
    const wrong = seqs.findIndex((seq, index) => seq !== index + 1);
    if (wrong >= 0) faults.push(`series ${name} has ${seqs[wrong]} where ${wrong + 1} belongs`);
    if (new Set(members.map(({ number }) => number)).size !== members.length)
      faults.push(`series ${name} shows a number twice`);
  }
  for (const { name, count, gapless, chainValid } of series) {
    if (!gapless || !chainValid) faults.push(`series ${name} does not verify: gapless ${gapless}, chain ${chainValid}`);
    const stored = [...bySeries].find(([each]) => name.endsWith(each) || each.endsWith(name))?.[1].length;
    if (stored !== undefined && stored !== count) faults.push(`series ${name} verifies ${count} of ${stored}`);
  }
  const byId = new Map(invoices.map((each) => [each._id, each]));
  for (const { kind, id, outcome, answer } of operations) {
    if (outcome !== 'acknowledged' || !['invoice', 'issue', 'credit'].includes(kind)) continue;
    const { id: made, number } = numbered(answer);
    if (byId.get(made)?.number !== number)
      faults.push(`${kind} ${id} was answered ${number}, and stands as ${byId.get(made)?.number}`);
  }
  return faults;
}

function numbered(answer: string): { id: string; number: string } {
  const parsed = JSON.parse(answer) as { data?: { id: string; number: string }; id: string; number: string };
  return parsed.data ?? parsed;
}

/** Amounts are what the lines come to, on what is stored and by what was asked for. */
export function checkAmounts({ operations }: History, { invoices, drafts }: Snapshot): string[] {
  const faults: string[] = [];
  // What a credit note gives back is shared out of its original: it is summed up, not derived from prices.
  for (const each of [
    ...invoices.filter(({ kind }) => kind === 'invoice'),
    ...drafts.filter(({ state }) => state === 'draft'),
  ]) {
    const { _id, lines, totals, pricesIncludeVat } = each;
    const sums = sumsOf(lines, pricesIncludeVat === true);
    for (const name of ['exclCents', 'vatCents', 'inclCents'] as const)
      if (sums[name] !== totals[name])
        faults.push(`${_id}: ${name} is ${totals[name]}, its lines come to ${sums[name]}`);
  }
  const byReference = new Map(invoices.filter(({ kind }) => kind === 'invoice').map((each) => [each.reference, each]));
  for (const { kind, id, lines } of operations) {
    const document = byReference.get(id);
    if (kind !== 'invoice' || !document) continue;
    const asked = lines.map((line) => ({ ...line, quantity: String(line.quantity) }));
    if (sumsOf(asked, false).inclCents !== document.totals.inclCents)
      faults.push(
        `${id}: ${document.totals.inclCents} cents were invoiced, ${sumsOf(asked, false).inclCents} asked for`,
      );
  }
  return [...faults, ...overCredited(invoices)];
}

function overCredited(invoices: readonly StoredInvoice[]): string[] {
  const notes = grouped(
    invoices.filter(({ kind }) => kind === 'credit_note'),
    ({ credited }) => credited?.invoiceId ?? '',
  );
  return invoices
    .filter(({ kind }) => kind === 'invoice')
    .flatMap(({ _id, totals }) => {
      const credited = (notes.get(_id) ?? []).reduce((sum, note) => sum + note.totals.inclCents, 0);
      return credited > totals.inclCents ? [`${_id}: ${credited} of ${totals.inclCents} cents are credited`] : [];
    });
}
