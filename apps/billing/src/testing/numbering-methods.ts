import { randomUUID } from 'node:crypto';
import { isDuplicateKey, nativeCollection, type Connection } from '@invoicing/mongo';
import { mongoSeriesStores, openInvoices, type InvoiceDocument } from '../invoices/invoice-store';
import { eventsOfIssue } from '../billing-events';
import { invoiceSealer, type IssuedInvoice, type UnnumberedInvoice } from '../invoices/issued-invoice';
import { createNumbering } from '../numbering/number-series';

/** Gives a document the next number of the one series and stores it; resolves when that is durable. */
export type Issue = (invoice: UnnumberedInvoice) => Promise<IssuedInvoice>;

const SERIES = 'bench/invoice/2026';
const ORGANIZATION = 'bench';
const OF_SERIES = { organizationId: ORGANIZATION, series: SERIES };
const numberOf = (seq: number): string => `2026-${String(seq).padStart(4, '0')}`;
const stored = (invoice: IssuedInvoice): InvoiceDocument => ({ ...invoice, outbox: eventsOfIssue(invoice) });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Ours, and two that are often seen; all on the same collection, indexes and durability. */
export const methods: Readonly<Record<string, (connection: Connection) => Promise<Issue>>> = {
  'group commit': async (connection) => {
    const numbering = createNumbering(mongoSeriesStores(await openInvoices(connection), () => undefined)(ORGANIZATION));
    return (invoice) => numbering.issue(SERIES, invoice._id, invoiceSealer(invoice, SERIES, numberOf));
  },

  'lock, max + 1, insert, unlock': async (connection) => {
    const invoices = nativeCollection(await openInvoices(connection));
    const locks = connection.db!.collection<{ _id: string; owner: string }>('locks');
    // At its best: a process asks for the lock once at a time, not with every issuer it has.
    let turn: Promise<unknown> = Promise.resolve();
    return (invoice) => {
      const mine = turn.then(() => issueLocked(invoice));
      turn = mine.catch(() => undefined);
      return mine;
    };
    async function issueLocked(invoice: UnnumberedInvoice): Promise<IssuedInvoice> {
      const owner = randomUUID();
      while (!(await take(owner))) await pause(1 + Math.random() * 3);
      try {
        const last = await invoices.findOne(OF_SERIES, { sort: { seq: -1 }, projection: { seq: 1, hash: 1 } });
        const place = { seq: (last?.seq ?? 0) + 1, previousHash: last?.hash ?? '' };
        const issued = invoiceSealer(invoice, SERIES, numberOf)(place);
        await invoices.insertOne(stored(issued));
        return issued;
      } finally {
        await locks.deleteOne({ _id: SERIES, owner });
      }
    }
    async function take(owner: string): Promise<boolean> {
      try {
        await locks.insertOne({ _id: SERIES, owner });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    }
  },

  // Leaves a gap wherever a process ends between the two, and can hold no chain.
  'counter, then insert (gaps)': async (connection) => {
    const invoices = nativeCollection(await openInvoices(connection));
    const counters = connection.db!.collection<{ _id: string; seq: number }>('counters');
    return async (invoice) => {
      const counter = await counters.findOneAndUpdate(
        { _id: SERIES },
        { $inc: { seq: 1 } },
        { upsert: true, returnDocument: 'after' },
      );
      const issued = invoiceSealer(invoice, SERIES, numberOf)({ seq: counter!.seq, previousHash: '' });
      await invoices.insertOne(stored(issued));
      return issued;
    };
  },
};

const PARTY = {
  name: 'Bakkerij De Zon',
  companyName: '',
  addressLine1: 'Markt 1',
  postalCode: '2611 GP',
  city: 'Delft',
  countryCode: 'NL',
  btwId: 'NL001234567B01',
  kvkNumber: '12345678',
  email: 'post@example.com',
  iban: 'NL91ABNA0417164300',
  bic: '',
};

/** An invoice of three lines, as large as most are. */
export function benchInvoice(): UnnumberedInvoice {
  const now = new Date();
  const token = randomUUID();
  const line = {
    description: 'Werkzaamheden volgens afspraak',
    quantity: '2.5',
    unitPriceCents: 8_500,
    vatTreatment: 'standard_21',
    productId: null,
    netCents: 21_250,
    unit: 'uur',
  } as const;
  return {
    _id: randomUUID(),
    organizationId: ORGANIZATION,
    profileId: 'bench',
    customerId: randomUUID(),
    kind: 'invoice',
    publicToken: token,
    issueDate: '2026-01-02',
    dueDate: '2026-01-16',
    supplyDate: '2026-01-02',
    currency: 'EUR',
    language: 'nl',
    seller: PARTY,
    buyer: PARTY,
    lines: [line, line, line],
    totals: {
      exclCents: 63_750,
      vatCents: 13_388,
      inclCents: 77_138,
      groups: [{ vatTreatment: 'standard_21', rateBps: 2100, baseCents: 63_750, vatCents: 13_388 }],
    },
    vatExemptionReason: '',
    style: { profileName: 'Bakkerij De Zon', accentColor: '#1f4e79', footer: '', logoId: null },
    credited: null,
    reason: '',
    issuedAt: now,
    publicUrl: `http://127.0.0.1/p/${token}`,
    delivery: { email: true, post: false },
    checkoutId: null,
    createdAt: now,
    creditedLines: [],
    creditOrdinal: null,
  };
}
