import type { Entry } from '../account/entry';
import type { Ports } from '../billing-ports';
import type { ClosedPeriods } from '../closed-periods/closed-period';
import type { Party } from '../invoices/invoice';
import type { IssuedInvoice } from '../invoices/issued-invoice';

/** Days as YYYY-MM-DD, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Everything that was issued or booked in some days, as it was recorded until `asOf`, where that is given: what comes later does not mix in. */
export interface Books {
  /** In the order of issue dates, and of one day as they were made. */
  documents: (organizationId: string, days: Days, asOf?: Date) => AsyncIterable<IssuedInvoice>;
  /** In the order of their days. */
  entries: (organizationId: string, days: Days, asOf: Date) => AsyncIterable<Entry>;
  /** Whom the entries are about. */
  invoicesOf: (organizationId: string, invoiceIds: readonly string[]) => Promise<ReadonlyMap<string, Booked>>;
  /** What reversals take back. */
  entriesOf: (organizationId: string, entryIds: readonly string[]) => Promise<ReadonlyMap<string, Entry>>;
  /** Open drafts whose date lies in these days, at most a hundred. */
  draftsDated: (organizationId: string, days: Days) => Promise<string[]>;
}

/** The document that something was booked for. */
export interface Booked {
  readonly number: string;
  readonly customerId: string;
  readonly buyer: Party;
}

export type ExportPorts = Pick<
  Ports,
  'organizations' | 'invoices' | 'drafts' | 'accounts' | 'logos' | 'documents' | 'sealedSheets' | 'now'
> & { readonly books: Books; readonly closedPeriods: ClosedPeriods };
