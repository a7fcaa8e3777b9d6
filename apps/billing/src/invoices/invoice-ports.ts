import type { Draft, DraftContent } from './draft';
import type { CreditApplied } from '../account/entry';
import type { FrozenInvoice, Party, VatCheck } from './invoice';
import type { IssuedInvoice } from './issued-invoice';
import type { ListPeriod, ListPosition } from './list-position';
import type { Organization } from '../organizations/organization';
import type { Product } from './price-lines';
import type { Language } from '@invoicing/design';
import type { Violation } from '@invoicing/errors';
import type { Actor, TestScenario } from '@invoicing/rules';
import type { SheetRenderer } from '../documents/sheet/sheet-renderer';

/** What a use case needs to know of the call it serves; adapters hand on the whole of it. */
export interface Call {
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** Becomes the id of what is created. */
  readonly operationId?: string | undefined;
  /** Only tried out: everything is checked, nothing is stored, numbered or sent. */
  readonly dryRun?: boolean | undefined;
  /** What a test organisation wishes to happen to what is made. */
  readonly testScenario?: TestScenario | undefined;
  /** Who asks; absent: the service by itself. */
  readonly by?: Actor | undefined;
}

export const actorOfCall = ({ by }: Pick<Call, 'by'>): Actor => by ?? { kind: 'service', id: 'billing' };

/** How the history tells of a change. */
export interface RecordedAs {
  readonly by: Actor;
  /** noun.past_tense, e.g. `draft.updated`. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly label: string };
  /** Names of the fields that changed. */
  readonly fields: readonly string[];
}

/** A change of an organisation or one of its profiles, as its history tells it. */
export interface OrganizationChange {
  readonly by: Actor;
  readonly action: 'organization.created' | 'organization.updated' | 'profile.created' | 'profile.updated';
  readonly subject: { readonly kind: 'organization' | 'profile'; readonly id: string; readonly label: string };
  /** Names of the fields that changed. */
  readonly fields: readonly string[];
}

export interface Organizations {
  find: (id: string) => Promise<Organization | null>;
  /** Newest first. */
  list: () => Promise<Organization[]>;
  /** The same, a page at a time; `next` is the cursor of the next one. */
  page: (limit: number, cursor: string | undefined) => Promise<{ items: Organization[]; next?: string }>;
  /** Whose this profile is; for operators, who name it by its id alone. */
  organizationOf: (profileId: string) => Promise<string | undefined>;
  /** Or answers the one with its id that is there already. */
  insert: (organization: Organization, change: OrganizationChange) => Promise<Organization>;
  /**
   * Sets fields of an organisation that still is as it was `seen` and has opened none of these series; null when it is not. Answers it
   * as it is then.
   */
  change: (
    seen: Organization,
    change: OrganizationChange,
    fields: Partial<Omit<Organization, '_id' | 'revision' | 'openedSeries'>>,
    unopened?: readonly string[],
  ) => Promise<Organization | null>;
  /** Throws `revision_conflict`, with what changed since, unless the caller has seen this revision, or did not say what it saw. */
  assertSeen: (organization: Organization, latest: number | undefined, seen: number | undefined) => Promise<void>;
  /** Fixes how the numbers of a series look; answers the organisation as it is from then on. Throws `not_found`. */
  openSeries: (id: string, series: string) => Promise<Organization>;
}

/** Logos, kept once by the hash of their bytes. */
export interface Logos {
  put: (logo: Uint8Array) => Promise<string>;
  find: (id: string) => Promise<Uint8Array | null>;
}

export interface Drafts {
  /** Open drafts only. */
  find: (organizationId: string, id: string) => Promise<Draft | null>;
  /** Whatever became of it; for repeats of its creation. */
  findAny: (organizationId: string, id: string) => Promise<Draft | null>;
  /** Whose it is; for operators, who name a document by its id alone. */
  organizationOf: (id: string) => Promise<string | undefined>;
  /** Or answers the one with its id that is there already, whatever became of it. */
  insert: (draft: Draft, as: RecordedAs) => Promise<Draft>;
  /** Only while it is as it was `seen`; null otherwise. */
  replace: (seen: Draft, content: DraftContent, as: RecordedAs) => Promise<Draft | null>;
  /** Throws `revision_conflict`, with what changed since, unless the caller has seen the latest, or did not say what it saw. */
  assertSeen: (draft: Draft, revision: number | undefined) => Promise<void>;
  /** Fixes the content of this revision before a number is given; false when it changed or is not open. */
  startIssuing: (organizationId: string, id: string, revision: number) => Promise<boolean>;
  closeIssued: (organizationId: string, ids: readonly string[]) => Promise<void>;
  /** Only while it is as it was `seen`. */
  remove: (seen: Draft, as: RecordedAs) => Promise<boolean>;
  /** Open drafts, newest first. */
  page: (organizationId: string, narrowed: ListNarrowed, wanted: ListWanted) => Promise<readonly DraftSummary[]>;
  /** Ids of drafts that begin so. */
  idsFrom: (organizationId: string, beginning: string, limit: number) => Promise<string[]>;
}

export type DraftSummary = Pick<
  Draft,
  '_id' | 'customerId' | 'publicToken' | 'issueDate' | 'dueDate' | 'totals' | 'createdAt' | 'state'
>;

/** What a list of documents is narrowed to, by indexes. */
export interface ListNarrowed {
  readonly profileId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly kind?: 'invoice' | 'credit_note' | undefined;
  readonly period?: ListPeriod | undefined;
  /** What a text was found to mean: documents, and customers. */
  readonly text?: { readonly ids: readonly string[]; readonly customerIds: readonly string[] } | undefined;
}

export interface ListWanted {
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

export interface Invoices {
  find: (organizationId: string, id: string) => Promise<IssuedInvoice | null>;
  /** Whose it is; for operators, who name a document by its id alone. */
  organizationOf: (id: string) => Promise<string | undefined>;
  findByToken: (publicToken: string) => Promise<IssuedInvoice | null>;
  /** The credit notes of an invoice, oldest first. */
  creditNotesOf: (organizationId: string, invoiceId: string) => Promise<IssuedInvoice[]>;
  /** What credit notes take off the accounts of these invoices; of each in order. */
  creditsOf: (organizationId: string, invoiceIds: readonly string[]) => Promise<CreditApplied[]>;
  page: (organizationId: string, narrowed: ListNarrowed, wanted: ListWanted) => Promise<readonly InvoiceSummary[]>;
  /** Which of these are issued. */
  issuedAmong: (organizationId: string, ids: readonly string[]) => Promise<string[]>;
  /** Of those whose number begins with one of these, the highest. */
  idsByNumber: (organizationId: string, beginnings: readonly string[], limit: number) => Promise<string[]>;
  /** Which of these series have a number. */
  begunSeries: (organizationId: string, series: readonly string[]) => Promise<string[]>;
  /** Takes an invoice whose due date may have passed, so that no other replica takes it before `leaseUntil`. */
  claimDue: (now: Date, leaseUntil: Date) => Promise<IssuedInvoice | null>;
  /** It is looked at again then; or, without a time, never by its date. */
  lookAgain: (invoice: Pick<IssuedInvoice, '_id' | 'organizationId'>, at: Date | undefined) => Promise<void>;
  /** What is needed to tell what is owed, of everything that an organisation issued. */
  owed: (organizationId: string) => AsyncIterable<OwedSummary>;
  /** Everything of an organisation, in the order of series and number. */
  inSeriesOrder: (organizationId: string) => AsyncIterable<IssuedInvoice>;
}

export type InvoiceSummary = Pick<
  IssuedInvoice,
  | '_id'
  | 'number'
  | 'kind'
  | 'customerId'
  | 'publicToken'
  | 'issueDate'
  | 'dueDate'
  | 'totals'
  | 'createdAt'
  | 'credited'
  | 'prepayment'
> & { readonly buyer: Pick<Party, 'name' | 'companyName'> };

/** What an account begins with, and by what a payer knows the invoice. */
export type OwedSummary = Pick<
  IssuedInvoice,
  '_id' | 'number' | 'kind' | 'customerId' | 'profileId' | 'totals' | 'prepayment' | 'dueDate'
> & { readonly buyer: Pick<IssuedInvoice['buyer'], 'name' | 'companyName' | 'iban'> };

/** A customer as an invoice shows it. */
export interface Customer {
  readonly id: string;
  readonly party: Party;
  /** Chosen for their documents; absent: of their country. */
  readonly language?: Language | undefined;
  /** What VIES last answered about its number. */
  readonly vatCheck?: VatCheck | undefined;
}

export interface Catalog {
  /** What of these ids belongs to the organisation, in one call. */
  resolve: (
    organizationId: string,
    ids: { customerIds: readonly string[]; productIds: readonly string[] },
    call: Call,
  ) => Promise<{ customers: ReadonlyMap<string, Customer>; products: ReadonlyMap<string, Product> }>;
  /** Ids of customers by the beginnings of words of their names; the newest. */
  findCustomers: (organizationId: string, text: string, call: Call) => Promise<string[]>;
}

export interface Mail {
  /** Sends an issued invoice once; a repeat answers what happened. `emailError` is empty when it was sent. */
  sendInvoice: (
    organizationId: string,
    invoiceId: string,
    call: Call,
  ) => Promise<{ emailed: boolean; emailError: string }>;
  /** Sends it again, as a message of its own; the operation's id names it. */
  resendInvoice: (
    organizationId: string,
    invoiceId: string,
    to: string,
    call: Call,
  ) => Promise<{ emailed: boolean; emailError: string }>;
  /** Has it posted as a letter, for one mail credit. */
  postInvoice: (
    organizationId: string,
    invoiceId: string,
    call: Call,
  ) => Promise<{ id: string; status: string; error: string }>;
}

export interface Peppol {
  /** Begins the delivery of an issued document, once, and answers how it stands after a moment: `error` is empty when nothing is wrong. */
  begin: (
    organizationId: string,
    invoiceId: string,
    call: Call,
  ) => Promise<{ status: string; error: string; reason: string }>;
}

export interface Documents {
  /** PDF or SVG; the same bytes for the same source. */
  renderSheet: SheetRenderer['render'];
  /** The e-invoice in one of its two syntaxes; without an account: as it was issued. */
  renderEInvoice: (invoice: FrozenInvoice, syntax: 'ubl' | 'cii', account?: { readonly openCents: number }) => string;
  eInvoiceViolations: (invoice: FrozenInvoice) => readonly Violation[];
  fileName: (invoice: FrozenInvoice, extension: 'pdf' | 'xml') => string;
}
