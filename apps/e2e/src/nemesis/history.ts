/** What can be asked of the platform in a run. */
export type OperationKind =
  | 'customer'
  | 'product'
  | 'draft'
  | 'invoice'
  | 'issue'
  | 'credit'
  | 'payment'
  | 'refund'
  | 'reversal'
  | 'write off'
  | 'subscription'
  | 'mail credits'
  | 'checkout'
  | 'pay'
  | 'chargeback'
  | 'rename';

/** How it came out: surely done, surely not done, or nobody knows. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** A line as it was asked for. */
export interface AskedLine {
  readonly quantity: number;
  readonly unitPriceCents: number;
  readonly vatTreatment: 'standard_21' | 'reduced_9' | 'zero';
}

/** One thing that a client wanted, from its first request to its last answer. Times are milliseconds of one clock. */
export interface Operation {
  /** Unique; it stands in what the operation makes, so that this can be found again. */
  readonly id: string;
  readonly kind: OperationKind;
  readonly startedAt: number;
  /** When it was answered; Infinity when it never was: it may still happen at any time. */
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** Status or code of the last answer. */
  readonly code: string;
  /** The first answer as it came, and those to the same request sent again. */
  readonly answer: string;
  readonly replays: readonly string[];
  /** What it is about: the invoice of a payment, the customer of a rename. */
  readonly subject: string;
  /** Cents of a payment, credits of a grant. */
  readonly amount: number;
  readonly lines: readonly AskedLine[];
  /** An id that was answered, of what was made. */
  readonly made: string;
}

/** A value that was read: of a register, or the members of a set. */
export interface Read {
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly values: readonly string[];
}

/** Everything that the clients saw. */
export interface History {
  readonly operations: readonly Operation[];
  readonly reads: readonly Read[];
  /** Requests that got neither an answer nor the end of their connection in their time. */
  readonly unanswered: readonly string[];
}
