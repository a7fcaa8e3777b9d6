import type { Accounts, Cashier } from './account/account-ports';
import type { DryRunLinks } from './documents/dry-run-link';
import type { SealedSheets } from './documents/sheet/sealed-sheet-store';
import type {
  Catalog,
  Documents,
  Drafts,
  Invoices,
  Logos,
  Mail,
  Organizations,
  Peppol,
} from './invoices/invoice-ports';
import type { IssuedInvoice } from './invoices/issued-invoice';
import type { Numbering } from './numbering/number-series';
import type { SeriesKeys } from './numbering/series-keys';

/** Everything that the verbs of billing stand on; service.ts puts it together. */
export interface Ports {
  readonly organizations: Organizations;
  readonly logos: Logos;
  readonly drafts: Drafts;
  readonly invoices: Invoices;
  readonly accounts: Accounts;
  readonly cashier: Cashier;
  readonly numbering: (organizationId: string) => Numbering<IssuedInvoice>;
  readonly seriesKeys: SeriesKeys;
  readonly catalog: Catalog;
  readonly mail: Mail;
  readonly peppol: Peppol;
  readonly documents: Documents;
  readonly sealedSheets: SealedSheets;
  readonly dryRunLinks: DryRunLinks;
  /** Base of public pages, without a slash at its end. */
  readonly publicUrl: string;
  /** The organisation's time, which a test organisation's clock moves; without one, real time. */
  readonly now: (organizationId?: string) => Date;
  /** ≥ 128 random bits, url-safe. */
  readonly newToken: () => string;
  readonly newId: () => string;
  /** Told of failures that the caller is not: the mail that will be tried again in the background. */
  readonly onError: (error: unknown) => void;
}

/** What of it the verbs of an invoice's account need. */
export type AccountPorts = Pick<
  Ports,
  | 'accounts'
  | 'cashier'
  | 'invoices'
  | 'organizations'
  | 'numbering'
  | 'mail'
  | 'peppol'
  | 'documents'
  | 'onError'
  | 'publicUrl'
  | 'newToken'
  | 'newId'
  | 'now'
>;
