import type { History, Operation, Read } from '../history';
import type { Received, Snapshot, StoredEntry, StoredInvoice } from '../snapshot';
import { check } from './check';

// A checker that finds nothing proves nothing: one run in which all is right, and everything that it must see made wrong in turn.

const LINES = [{ quantity: '3.333333', unitPriceCents: 999, vatTreatment: 'standard_21' as const }];
const TOTALS = { exclCents: 3330, vatCents: 699, inclCents: 4029 };

const operation = (values: Partial<Operation> & Pick<Operation, 'kind' | 'id'>): Operation => ({
  ...{ startedAt: 10, endedAt: 20, outcome: 'acknowledged', code: '201', answer: '{}', replays: [] },
  ...{ subject: '', amount: 0, lines: [], made: '' },
  ...values,
});
const invoice = (values: Partial<StoredInvoice>): StoredInvoice => ({
  ...{
    _id: 'i1',
    kind: 'invoice',
    number: 'F-1',
    series: 's',
    seq: 1,
    publicToken: 't',
    reference: 'op-i1',
    reason: '',
  },
  ...{ lines: LINES, totals: TOTALS, buyer: { email: 'a@b.nl', kvkNumber: '87654321' }, delivery: { email: true } },
  ...values,
});
const entry = (values: Partial<StoredEntry>): StoredEntry => ({
  ...{ _id: 'e1', invoiceId: 'i1', ordinal: 1, type: 'payment', amountCents: 29, provider: 'bank', reference: 'op-p1' },
  ...values,
});
const note = invoice({
  ...{ _id: 'n1', kind: 'credit_note', number: 'C-1', series: 'c', reference: null, reason: 'op-n1' },
  ...{
    credited: { invoiceId: 'i1' },
    totals: { exclCents: 1000, vatCents: 0, inclCents: 1000 },
    delivery: { email: false },
    buyer: { email: '' },
  },
});
const atProvider = { _id: 'sb_1', status: 'paid', amountCents: 500, refundedCents: 100 };
const online = entry({
  _id: 'e2',
  ordinal: 2,
  provider: 'sandbox',
  paymentId: 'sb_1',
  amountCents: 500,
  reference: '',
});
const back = entry({
  ...{ _id: 'e3', ordinal: 3, type: 'refund', provider: 'sandbox', paymentId: 'sb_1', amountCents: 100 },
  ...{ of: 'e2', reason: 'op-r1', reference: '', done: true },
});

const FACTS: readonly (readonly [string, object])[] = [
  ['invoice.issued', { invoiceId: 'i1' }],
  ['invoice.issued', { invoiceId: 'n1' }],
  ['invoice.credited', { creditNoteId: 'n1' }],
  ['peppol.delivered', { invoiceId: 'i1' }],
  ['payment.recorded', { entryId: 'e1' }],
  ['payment.recorded', { entryId: 'e2' }],
  ['payment.refunded', { entryId: 'e3' }],
];
const webhooks = FACTS.map(([type, data], index) => ({ id: `w${index}`, body: JSON.stringify({ type, data }) }));

const history: History = {
  operations: [
    operation({ kind: 'customer', id: 'op-c1' }),
    operation({
      kind: 'invoice',
      id: 'op-i1',
      answer: '{"data":{"id":"i1","number":"F-1"}}',
      replays: ['{"data":{"id":"i1","number":"F-1"}}'],
      lines: [{ quantity: 3.333333, unitPriceCents: 999, vatTreatment: 'standard_21' }],
    }),
    operation({ kind: 'credit', id: 'op-n1', answer: '{"id":"n1","number":"C-1"}', subject: 'i1' }),
    operation({ kind: 'payment', id: 'op-p1', subject: 'i1' }),
    operation({ kind: 'refund', id: 'op-r1', subject: 'i1', made: 'e3' }),
    operation({ kind: 'refund', id: 'op-r2', subject: 'i1', code: 'no surplus' }),
    operation({ kind: 'customer', id: 'op-c2', outcome: 'refused' }),
    operation({ kind: 'customer', id: 'op-c3', outcome: 'unknown', endedAt: Infinity }),
    operation({ kind: 'rename', id: 'op-n', subject: 'c1', startedAt: 30, endedAt: 40 }),
  ],
  reads: [
    { key: 'name of c1', startedAt: 31, endedAt: 32, values: [''] },
    { key: 'name of c1', startedAt: 41, endedAt: 42, values: ['op-n'] },
    { key: 'entries of i1', startedAt: 21, endedAt: 25, values: ['op-p1'] },
  ],
  unanswered: [],
};
const snapshot: Snapshot = {
  customers: [{ _id: 'c1', externalId: 'op-c1' }],
  ...{ products: [], drafts: [], credits: [], subscriptions: [], sessions: [], leftovers: [] },
  invoices: [invoice({}), note],
  entries: [entry({}), online, back],
  providerPayments: [atProvider],
  mails: [{ _id: 'm1', invoiceId: 'i1', status: 'sent' }],
  eInvoices: [{ _id: 'p1', invoiceId: 'i1', status: 'delivered' }],
  deliveries: webhooks.map(({ id, body }) => ({
    _id: id,
    eventId: id,
    eventType: '',
    endpointId: '',
    status: 'delivered',
    body,
  })),
  series: [
    { name: 'p/s', count: 1, gapless: true, chainValid: true },
    { name: 'p/c', count: 1, gapless: true, chainValid: true },
  ],
  told: new Map([['i1', 2600]]),
};
const received: Received = {
  ...{ mails: [{ messageId: '<m1@example.nl>', to: 'a@b.nl' }], webhooks },
  eInvoices: ['<Invoice><cbc:ID>F-1</cbc:ID><cac:Order><cbc:ID>op-i1</cbc:ID></cac:Order></Invoice>'],
};

const broken = (h: History, s: Snapshot, r: Received): string[] =>
  Object.entries(check(h, s, r)).flatMap(([promise, faults]) => (faults.length > 0 ? [promise] : []));
const stored = (change: Partial<Snapshot>) => broken(history, { ...snapshot, ...change }, received);
const asked = (...more: Operation[]) =>
  broken({ ...history, operations: [...history.operations, ...more] }, snapshot, received);
const looked = (...more: Read[]) => broken({ ...history, reads: [...history.reads, ...more] }, snapshot, received);

test('a run in which all is right', () => {
  expect(broken(history, snapshot, received)).toEqual([]);
});

const there = ['every acknowledged write is there once'];
test.each<[string, () => string[], string[]]>([
  ['an acknowledged write is lost', () => asked(operation({ kind: 'product', id: 'op-x' })), there],
  [
    'a write is there twice',
    () => stored({ customers: [...snapshot.customers, { _id: 'c9', externalId: 'op-c1' }] }),
    there,
  ],
  [
    'a refused write is there',
    () => stored({ customers: [...snapshot.customers, { _id: 'c9', externalId: 'op-c2' }] }),
    there,
  ],
  [
    'something is there that nobody asked for',
    () => stored({ customers: [...snapshot.customers, { _id: 'c9', externalId: 'op-z' }] }),
    there,
  ],
  ['a refund that was made is lost', () => asked(operation({ kind: 'refund', id: 'op-r3', made: 'e8' })), there],
  [
    'an unclear write is there: that is allowed',
    () => stored({ customers: [...snapshot.customers, { _id: 'c9', externalId: 'op-c3' }] }),
    [],
  ],
])('%s', (_name, run, wanted) => expect(run()).toEqual(wanted));

const eInvoices = ['one e-invoice for each document'];
const numbers = ['numbers without gap, chain valid'];
test.each<[string, () => string[], string[]]>([
  ['a number is left out', () => stored({ invoices: [invoice({ seq: 2 }), note] }), numbers],
  [
    'another number stands than was answered',
    () => stored({ invoices: [invoice({ number: 'F-2' }), note] }),
    [...numbers, ...eInvoices],
  ],
  ['the chain is broken', () => stored({ series: [{ ...snapshot.series[0]!, chainValid: false }] }), numbers],
  ['verify has seen fewer', () => stored({ series: [{ ...snapshot.series[0]!, count: 2 }] }), numbers],
])('%s', (_name, run, wanted) => expect(run()).toEqual(wanted));

const amounts = 'amounts re-derived';
const accounts = 'accounts equal the provider';
test.each<[string, () => string[], string[]]>([
  [
    'a total is a cent off',
    () => stored({ invoices: [invoice({ totals: { ...TOTALS, vatCents: 700 } }), note] }),
    [amounts],
  ],
  [
    'a line was changed',
    () => stored({ invoices: [invoice({ lines: [{ ...LINES[0]!, quantity: '3' }] }), note] }),
    [amounts],
  ],
  [
    'more is credited than was invoiced',
    () =>
      stored({ invoices: [invoice({}), { ...note, totals: { ...note.totals, inclCents: 5000 } }], told: new Map() }),
    [amounts],
  ],
  ['the API tells another open amount', () => stored({ told: new Map([['i1', 2601]]) }), [accounts]],
  [
    'the provider knows of money that did not arrive',
    () => stored({ providerPayments: [atProvider, { ...atProvider, _id: 'sb_2', refundedCents: 0 }] }),
    [accounts],
  ],
  [
    'a refund reached the provider twice',
    () => stored({ providerPayments: [{ ...atProvider, refundedCents: 200 }] }),
    [accounts],
  ],
  [
    'a payment stands twice',
    () => stored({ entries: [...snapshot.entries, { ...online, _id: 'e4', ordinal: 4 }] }),
    [accounts, 'one event and one delivery for each fact'],
  ],
  ['two entries have one place', () => stored({ entries: [entry({ ordinal: 2 }), online, back] }), [accounts]],
  [
    'it was settled twice',
    () => stored({ entries: [entry({ settles: true }), { ...online, settles: true }, back] }),
    [accounts, 'one event and one delivery for each fact'],
  ],
])('%s', (_name, run, wanted) => expect(run()).toEqual(wanted));

const events = ['one event and one delivery for each fact'];
const got = (change: Partial<Received>) => broken(history, snapshot, { ...received, ...change });
test.each<[string, () => string[], string[]]>([
  ['an event never arrived', () => got({ webhooks: webhooks.slice(1) }), events],
  ['a fact is told by two events', () => got({ webhooks: [...webhooks, { ...webhooks[0]!, id: 'w9' }] }), events],
  ['a repeat has another body', () => got({ webhooks: [...webhooks, { ...webhooks[1]!, id: 'w0' }] }), events],
  ['a repeat has the same body: that is allowed', () => got({ webhooks: [...webhooks, webhooks[0]!] }), []],
  [
    'an event tells what is not so',
    () => got({ webhooks: [...webhooks, { id: 'w9', body: '{"type":"invoice.paid","data":{"invoiceId":"i1"}}' }] }),
    events,
  ],
  ['a delivery is missing', () => stored({ deliveries: snapshot.deliveries.slice(1) }), events],
  ['an e-mail never arrived', () => got({ mails: [] }), ['one e-mail for each document']],
  [
    'a second e-mail arrived',
    () => got({ mails: [...received.mails, { messageId: '<m2@x>', to: 'a@b.nl' }] }),
    ['one e-mail for each document'],
  ],
  ['a document was not mailed', () => stored({ mails: [] }), ['one e-mail for each document']],
  ['an e-invoice never arrived', () => got({ eInvoices: [] }), eInvoices],
  [
    'an e-invoice was handed over twice',
    () => got({ eInvoices: [...received.eInvoices, ...received.eInvoices] }),
    eInvoices,
  ],
  [
    'a document of somebody who is not found went over Peppol',
    () => got({ eInvoices: [...received.eInvoices, '<cbc:ID>C-1</cbc:ID>'] }),
    eInvoices,
  ],
  ['a document has no delivery over Peppol', () => stored({ eInvoices: [] }), eInvoices],
  [
    'a document is delivered over Peppol twice',
    () => stored({ eInvoices: [...snapshot.eInvoices, { ...snapshot.eInvoices[0]!, _id: 'p2' }] }),
    eInvoices,
  ],
  [
    'an e-invoice is not delivered',
    () => stored({ eInvoices: [{ ...snapshot.eInvoices[0]!, status: 'failed' }] }),
    eInvoices,
  ],
  ['something waits for nobody', () => stored({ leftovers: ['sessions x'] }), ['nothing is stuck']],
])('%s', (_name, run, wanted) => expect(run()).toEqual(wanted));

const order = ['linearizable for each key'];
const name = (startedAt: number, value: string): Read => ({
  key: 'name of c1',
  startedAt,
  endedAt: startedAt + 1,
  values: [value],
});
test.each<[string, () => string[], string[]]>([
  ['a read gives what was overwritten', () => looked(name(50, '')), order],
  ['a read gives what nobody wrote', () => looked(name(50, 'op-q')), order],
  [
    'a value comes back',
    () =>
      broken(
        {
          ...history,
          operations: [
            ...history.operations,
            operation({ kind: 'rename', id: 'op-m', subject: 'c1', startedAt: 50, endedAt: 60 }),
          ],
          reads: [...history.reads, name(61, 'op-m'), name(70, 'op-n')],
        },
        snapshot,
        received,
      ),
    order,
  ],
  [
    'an unclear write that took place late: that is allowed',
    () =>
      broken(
        {
          ...history,
          operations: [
            ...history.operations,
            operation({
              kind: 'rename',
              id: 'op-m',
              subject: 'c1',
              startedAt: 50,
              endedAt: Infinity,
              outcome: 'unknown',
            }),
          ],
          reads: [...history.reads, name(61, 'op-n'), name(70, 'op-m')],
        },
        snapshot,
        received,
      ),
    [],
  ],
  [
    'an acknowledged entry is not read',
    () => looked({ key: 'entries of i1', startedAt: 30, endedAt: 31, values: [] }),
    order,
  ],
  ['an entry is gone again', () => looked({ key: 'entries of i1', startedAt: 26, endedAt: 27, values: [] }), order],
  [
    'an entry is read twice',
    () => looked({ key: 'entries of i1', startedAt: 26, endedAt: 27, values: ['op-p1', 'op-p1'] }),
    order,
  ],
  [
    'a replay has other bytes',
    () => asked(operation({ kind: 'rename', id: 'op-y', subject: 'c5', answer: '1', replays: ['2'] })),
    ['replays are the same bytes'],
  ],
  [
    'a request got no answer',
    () => broken({ ...history, unanswered: ['POST /x'] }, snapshot, received),
    ['every request has an answer'],
  ],
])('%s', (_name, run, wanted) => expect(run()).toEqual(wanted));
