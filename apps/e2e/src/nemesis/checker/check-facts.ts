import type { Received, Snapshot, StoredInvoice } from '../snapshot';

/** Buyers with a number are businesses that the network finds, and their documents make e-invoices. */
const isFoundOverPeppol = ({ buyer }: StoredInvoice): boolean => (buyer.kvkNumber ?? '') !== '';

/** `type id` of every fact that an event must tell. */
function factsOf({ invoices, entries, sessions }: Snapshot): string[] {
  const settled = new Set(entries.filter(({ type }) => type === 'settlement').map(({ of }) => of));
  return [
    ...invoices.map(({ _id }) => `invoice.issued ${_id}`),
    ...invoices.filter(isFoundOverPeppol).map(({ _id }) => `peppol.delivered ${_id}`),
    ...invoices.filter(({ credited }) => credited).map(({ _id }) => `invoice.credited ${_id}`),
    ...entries.filter(({ type }) => type === 'payment').map(({ _id }) => `payment.recorded ${_id}`),
    ...entries.filter(({ settles }) => settles).map(({ invoiceId }) => `invoice.paid ${invoiceId}`),
    ...entries
      .filter(
        ({ _id, type, done, provider }) => type === 'refund' && provider !== 'transfer' && (done || settled.has(_id)),
      )
      .map(({ _id }) => `payment.refunded ${_id}`),
    ...entries.filter(({ type }) => type === 'chargeback').map(({ _id }) => `payment.charged_back ${_id}`),
    ...sessions
      .filter(({ kind, status }) => kind === 'checkout' && status === 'paid')
      .map(({ _id }) => `checkout.paid ${_id}`),
  ];
}

const SUBJECT: Readonly<Record<string, string>> = {
  'invoice.issued': 'invoiceId',
  'invoice.credited': 'creditNoteId',
  'invoice.paid': 'invoiceId',
  'payment.recorded': 'entryId',
  'payment.refunded': 'entryId',
  'payment.charged_back': 'entryId',
  'checkout.paid': 'checkoutId',
  'peppol.delivered': 'invoiceId',
  'peppol.failed': 'invoiceId',
};

/** `type id` that a webhook's body tells, or undefined for what is no fact of these. */
export function toldFact(body: string): string | undefined {
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, string> };
  return SUBJECT[type] && `${type} ${data[SUBJECT[type]]}`;
}

/** One event, one delivery and one webhook for every fact, none for what is none; a repeat is the same in every byte. */
export function checkEvents(snapshot: Snapshot, { webhooks }: Received): string[] {
  const faults: string[] = [];
  const bodies = new Map<string, string>();
  for (const { id, body } of webhooks) {
    if ((bodies.get(id) ?? body) !== body) faults.push(`webhook ${id} came with two bodies`);
    bodies.set(id, body);
  }
  const told = count([...bodies.values()].flatMap((body) => toldFact(body) ?? []));
  const delivered = count(snapshot.deliveries.flatMap(({ body }) => toldFact(body) ?? []));
  const facts = new Set(factsOf(snapshot));
  for (const fact of facts) {
    if (told.get(fact) !== 1) faults.push(`${fact} was told ${told.get(fact) ?? 0} times`);
    if (delivered.get(fact) !== 1) faults.push(`${fact} has ${delivered.get(fact) ?? 0} deliveries`);
  }
  for (const fact of told.keys()) if (!facts.has(fact)) faults.push(`${fact} was told and is not so`);
  return faults;
}

/** One e-mail for every document that is to be sent; a repeat has the same Message-ID. */
export function checkMails({ invoices, mails: sent }: Snapshot, { mails }: Received): string[] {
  const faults: string[] = [];
  const wanted = invoices.filter(({ delivery, buyer }) => delivery.email && buyer.email !== '');
  const ofInvoice = count(sent.map(({ invoiceId }) => invoiceId));
  for (const { _id } of wanted)
    if (ofInvoice.get(_id) !== 1) faults.push(`${_id} has ${ofInvoice.get(_id) ?? 0} e-mails`);
  const arrived = new Set(mails.map(({ messageId }) => messageId));
  for (const { _id, status } of sent) {
    if (status !== 'sent') faults.push(`e-mail ${_id} is ${status}`);
    else if (![...arrived].some((id) => id.includes(_id))) faults.push(`e-mail ${_id} is sent and never arrived`);
  }
  if (arrived.size > sent.length) faults.push(`${arrived.size} e-mails arrived, ${sent.length} were to be sent`);
  return faults;
}

/** One e-invoice at the access point, and one delivery that is over, for every document of who is found there. */
export function checkEInvoices({ invoices, eInvoices: sent }: Snapshot, { eInvoices }: Received): string[] {
  const wanted = invoices.filter(isFoundOverPeppol);
  const [deliveries, submitted] = [count(sent.map(({ invoiceId }) => invoiceId)), count(eInvoices.map(numberIn))];
  return [
    ...wanted.flatMap(({ _id, number }) => [
      ...unlessOnce(`${_id} has %n deliveries over Peppol`, deliveries.get(_id)),
      ...unlessOnce(`${number} was handed to the access point %n times`, submitted.get(number)),
    ]),
    ...sent.flatMap(({ _id, status }) => (status === 'delivered' ? [] : [`e-invoice ${_id} is ${status}`])),
    ...(eInvoices.length > wanted.length
      ? [`${eInvoices.length} e-invoices were handed over, ${wanted.length} were to be sent`]
      : []),
  ];
}

const unlessOnce = (fault: string, times = 0): string[] => (times === 1 ? [] : [fault.replace('%n', String(times))]);

/** BT-1 of an e-invoice in UBL. */
const numberIn = (ubl: string): string => /<cbc:ID>([^<]+)<\/cbc:ID>/.exec(ubl)?.[1] ?? '';

/** Nothing waits that nobody will go on with. */
export const checkLeftovers = ({ leftovers }: Snapshot): string[] => leftovers.map((each) => `${each} is left over`);

function count(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
