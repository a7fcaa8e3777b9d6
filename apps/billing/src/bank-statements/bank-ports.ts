import type { AccountPorts } from '../billing-ports';
import type { RecordedAs } from '../invoices/invoice-ports';
import type { BankLine, BankLineState, StatementHead } from './bank-line';

/** What of a line changes. */
export type BankLineChange = Partial<
  Pick<BankLine, 'state' | 'rule' | 'why' | 'candidates' | 'bookings' | 'tries' | 'by' | 'note' | 'dueAt'>
>;

/** A statement as it is kept. */
export interface KeptStatement extends StatementHead {
  readonly _id: string;
  readonly organizationId: string;
  readonly importId: string;
  readonly createdAt: Date;
}

/** Which lines of an organisation. */
export interface BankLineFilter {
  readonly state?: BankLineState | undefined;
  readonly importId?: string | undefined;
}

/** The lines of all statements. What the bank said is inserted once; a line changes by compare-and-set of its state and tries. */
export interface BankLines {
  /** Which of these are there. */
  knownAmong: (organizationId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Inserts those that are not there; answers which it inserted. */
  insertNew: (lines: readonly BankLine[]) => Promise<ReadonlySet<string>>;
  find: (organizationId: string, id: string) => Promise<BankLine | null>;
  /** Whose it is; for operators, who name a line by its id alone. */
  organizationOf: (id: string) => Promise<string | undefined>;
  /** Only while its state and tries are as they were `seen`; what is undefined is taken away. */
  change: (seen: BankLine, to: BankLineChange) => Promise<boolean>;
  /** The same by a person: their history has it. Null when it is not as it was seen. */
  record: (seen: BankLine, to: BankLineChange, as: RecordedAs) => Promise<BankLine | null>;
  /** Newest first. */
  page: (
    organizationId: string,
    filter: BankLineFilter,
    wanted: { readonly limit: number; readonly cursor?: string | undefined },
  ) => Promise<{ readonly items: BankLine[]; readonly next?: string }>;
  /** Of each of these IBANs the customers that a booked line from it was for. */
  payersAmong: (organizationId: string, ibans: readonly string[]) => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Whether money that may be for this invoice waits for a person. */
  isAsked: (organizationId: string, invoiceId: string) => Promise<boolean>;
  /** Takes a line whose writer did not finish, so that no other replica takes it before `leaseUntil`. */
  claimDue: (now: Date, leaseUntil: Date) => Promise<BankLine | null>;
  /** What came and went on each day of an account. */
  dailySums: (organizationId: string, account: string) => Promise<ReadonlyMap<string, number>>;
}

export interface BankStatements {
  /** Once, however often it is imported. */
  put: (statement: KeptStatement) => Promise<void>;
  /** By account and first day. */
  of: (organizationId: string, accounts?: readonly string[]) => Promise<KeptStatement[]>;
}

/** What the verbs of bank statements need. */
export type BankPorts = Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now'> & {
  readonly bankLines: BankLines;
  readonly bankStatements: BankStatements;
};
