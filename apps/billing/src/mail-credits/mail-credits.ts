import { TurnsByKey } from '@invoicing/concurrency';
import { AppError, notFoundError, validationError, type Violation } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';
import {
  EMPTY_LEDGER,
  applyChange,
  checkEntry,
  type CreditChange,
  type CreditEntry,
  type LedgerState,
} from './credit-ledger';
import type { Organizations } from '../invoices/invoice-ports';

/** The entries of all organisations, with unique (organisation, seq) and unique `_id`. Reads see durable data only. */
export interface CreditLedger {
  tail: (organizationId: string) => Promise<LedgerState>;
  find: (organizationId: string, id: string) => Promise<CreditEntry | null>;
  lastOfLetter: (organizationId: string, letterId: string) => Promise<CreditEntry | null>;
  /** False when the `_id` or the place in the ledger is taken; throws when nobody knows what happened. */
  insert: (entry: CreditEntry) => Promise<boolean>;
  /** Newest first. */
  page: (organizationId: string, limit: number, before: number | undefined) => Promise<CreditEntry[]>;
  /** In order. */
  entries: (organizationId: string) => AsyncIterable<CreditEntry>;
}

export interface CreditPorts {
  readonly ledger: CreditLedger;
  readonly organizations: Pick<Organizations, 'find'>;
  /** The organisation's time. */
  readonly now: (organizationId: string) => Date;
}

const MAX_CREDITS = 1_000_000;
const MAX_REASON = 500;
// Each attempt that fails means that a rival got on; even 64 rivals at once are through long before this.
const MAX_ATTEMPTS = 200;

/** Mail credits of organisations. Every change of one organisation is tried one after the other within this process. */
export interface MailCredits {
  /** Adds credits. The same operation again answers the entry that it made. Throws `validation`. */
  grant: (grant: Grant, operationId: string) => Promise<CreditEntry & { kind: 'grant' }>;
  /** The entry that `grant` would make now. Makes none. */
  previewGrant: MailCredits['grant'];
  /** Sets one credit aside for a letter; the same letter again changes nothing. Throws `no_credits`. */
  reserve: (organizationId: string, letterId: string) => Promise<LedgerState>;
  /** The letter took the credit that was set aside for it, or gave it back. Throws `not_found` when none was. */
  settle: (organizationId: string, letterId: string, kind: 'consume' | 'release') => Promise<LedgerState>;
  /** What happened, newest first; only before the entry with this `seq`, when one is named. */
  list: CreditLedger['page'];
  /** Derives the balance from every entry and checks each on the way. Throws `not_found` or `ledger_broken`. */
  balance: (organizationId: string) => Promise<LedgerState>;
}

export interface Grant {
  readonly organizationId: string;
  readonly credits: number;
  readonly reason: string | null;
}

/** What to append, or what is there already. */
type Decision<T> = { readonly made: T } | { readonly id: string; readonly change: CreditChange };

type Decide<T> = (state: LedgerState) => Promise<Decision<T>>;

export function mailCredits({ ledger, organizations, now }: CreditPorts): MailCredits {
  // One after the other within the process: what would only race with itself waits instead.
  const turns = new TurnsByKey();

  return {
    grant: async (grant, operationId) => {
      const { organizationId, credits, reason } = grant;
      await assertGrantable(grant);
      const entry = await append<CreditEntry>(organizationId, async () => {
        const made = await ledger.find(organizationId, operationId);
        return made ? { made } : { id: operationId, change: { kind: 'grant', credits, reason } };
      });
      if (entry.kind !== 'grant' || entry.credits !== credits)
        throw new AppError('conflict', 'idempotency_conflict', 'the operation id was used for something else');
      return entry;
    },
    previewGrant: async (grant, operationId) => {
      const { organizationId, credits, reason } = grant;
      await assertGrantable(grant);
      const change = { kind: 'grant', credits, reason } as const;
      const after = checkedChange(await ledger.tail(organizationId), change);
      return { ...change, ...after, _id: operationId, organizationId, createdAt: now(organizationId) };
    },
    reserve: (organizationId, letterId) => changeLetter(organizationId, letterId, 'reserve'),
    settle: changeLetter,
    list: ledger.page,
    balance: async (organizationId) => {
      if (!(await organizations.find(organizationId))) throw notFoundError('the organisation');
      let state = EMPTY_LEDGER;
      for await (const entry of ledger.entries(organizationId)) state = checkEntry(state, entry);
      return state;
    },
  };

  async function assertGrantable(grant: Grant): Promise<void> {
    const violations = faultsOf(grant);
    if (!(await organizations.find(grant.organizationId)))
      violations.push({ path: '/orgId', message: 'is not an organisation' });
    if (violations.length > 0) throw validationError(violations);
  }

  function changeLetter(
    organizationId: string,
    letterId: string,
    kind: 'reserve' | 'consume' | 'release',
  ): Promise<LedgerState> {
    return append<LedgerState>(organizationId, async (state) => {
      const last = await ledger.lastOfLetter(organizationId, letterId);
      if (last && (kind === last.kind || (kind === 'reserve' && last.kind === 'consume'))) return { made: state };
      if (kind !== 'reserve' && last?.kind !== 'reserve') throw notFoundError('the reservation');
      const letterOrdinal = last && 'letterOrdinal' in last ? last.letterOrdinal + 1 : 1;
      return { id: `${organizationId}/${letterId}/${letterOrdinal}`, change: { kind, letterId, letterOrdinal } };
    });
  }

  function append<T>(organizationId: string, decide: Decide<T>): Promise<T | CreditEntry> {
    return turns.run(organizationId, () => appendEntry({ ledger, now }, organizationId, decide));
  }
}

/**
 * Reads the last entry, decides by it, inserts the next number. Whatever else was appended meanwhile took that number, so the
 * insert fails and the decision is made again: no decision is ever based on an old balance, on a single node, a replica set
 * and a sharded cluster alike.
 */
async function appendEntry<T>(
  { ledger, now }: Pick<CreditPorts, 'ledger' | 'now'>,
  organizationId: string,
  decide: Decide<T>,
): Promise<T | CreditEntry> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const state = await ledger.tail(organizationId);
    const decision = await decide(state);
    if ('made' in decision) return decision.made;
    const after = checkedChange(state, decision.change);
    const entry = { ...decision.change, ...after, _id: decision.id, organizationId, createdAt: now(organizationId) };
    if (await ledger.insert(entry)) return entry;
  }
  throw new AppError('unavailable', 'unavailable', 'the credit ledger is too busy');
}

function checkedChange(state: LedgerState, change: CreditChange): LedgerState {
  const after = applyChange(state, change);
  if (!after) throw new AppError('blocked', 'no_credits', 'there are no mail credits left');
  return after;
}

function faultsOf({ credits, reason }: Grant): Violation[] {
  const violations: Violation[] = [];
  if (!Number.isInteger(credits) || credits < 1 || credits > MAX_CREDITS)
    violations.push({ path: '/credits', message: `must be a whole number from 1 to ${MAX_CREDITS}` });
  const fault = reason === null ? undefined : textMessage(reason, { max: MAX_REASON });
  if (fault) violations.push({ path: '/reason', message: fault });
  return violations;
}
