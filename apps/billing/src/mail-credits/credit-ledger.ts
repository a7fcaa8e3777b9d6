import { AppError } from '@invoicing/errors';

/** What can happen to mail credits: bought, set aside for a letter, used by it, or given back by it. */
export type CreditChange =
  | { readonly kind: 'grant'; readonly credits: number; readonly reason: string | null }
  | { readonly kind: 'reserve' | 'consume' | 'release'; readonly letterId: string; readonly letterOrdinal: number };

/** Where the ledger of an organisation stands. */
export interface LedgerState {
  /** Number of the last entry; entries count from 1 without gaps. */
  readonly seq: number;
  /** Free to use. */
  readonly balance: number;
  /** Set aside for letters on their way. */
  readonly reserved: number;
}

/** An entry: inserted once, never changed. It carries the state after it, so that the last one is the balance. */
export type CreditEntry = LedgerState &
  CreditChange & { readonly _id: string; readonly organizationId: string; readonly createdAt: Date };

export const EMPTY_LEDGER: LedgerState = { seq: 0, balance: 0, reserved: 0 };

/** The state after a change; undefined when there is no credit for it. */
export function applyChange({ seq, balance, reserved }: LedgerState, change: CreditChange): LedgerState | undefined {
  const [free, aside] = {
    grant: [change.kind === 'grant' ? change.credits : 0, 0],
    reserve: [-1, 1],
    consume: [0, -1],
    release: [1, -1],
  }[change.kind] as [number, number];
  const after = { seq: seq + 1, balance: balance + free, reserved: reserved + aside };
  return after.balance < 0 || after.reserved < 0 ? undefined : after;
}

/** Derives the state from what happened and compares it with what the entry says. Throws `ledger_broken`. */
export function checkEntry(before: LedgerState, entry: CreditEntry): LedgerState {
  const after = applyChange(before, entry);
  if (after?.seq !== entry.seq || after.balance !== entry.balance || after.reserved !== entry.reserved)
    throw new AppError('internal', 'ledger_broken', `entry ${entry._id} does not follow from those before it`);
  return after;
}
