import type { VatTreatment } from '../invoices/invoice';

/** An account of the ledger that sales are booked on; the numbers are the usual ones of Dutch books. */
export interface LedgerAccount {
  readonly id: string;
  readonly name: string;
  /** Balance sheet, or profit and loss. */
  readonly type: 'B' | 'P';
}

const account = (id: string, name: string, type: LedgerAccount['type']): LedgerAccount => ({ id, name, type });

export const DEBTORS = account('1300', 'Debiteuren', 'B');
export const CASH = account('1000', 'Kas', 'B');
export const BANK = account('1100', 'Bank', 'B');
export const PROVIDERS = account('1150', 'Betaaldienstverleners, onderweg', 'B');
export const TRANSFERS = account('1390', 'Verrekening tussen facturen', 'B');
export const ROUNDING = account('4980', 'Betalingsverschillen', 'P');
export const BAD_DEBT = account('4990', 'Oninbare vorderingen', 'P');

/** What is sold under a treatment, and the VAT of it that is owed. */
export interface VatCode {
  readonly id: VatTreatment;
  readonly name: string;
  readonly revenue: LedgerAccount;
  /** Absent where there is no VAT. */
  readonly payable?: LedgerAccount;
}

export const VAT_CODES: Readonly<Record<VatTreatment, VatCode>> = {
  standard_21: {
    id: 'standard_21',
    name: 'Btw hoog tarief, 21%',
    revenue: account('8000', 'Omzet, btw hoog tarief', 'P'),
    payable: account('1500', 'Af te dragen btw hoog tarief', 'B'),
  },
  reduced_9: {
    id: 'reduced_9',
    name: 'Btw laag tarief, 9%',
    revenue: account('8010', 'Omzet, btw laag tarief', 'P'),
    payable: account('1510', 'Af te dragen btw laag tarief', 'B'),
  },
  zero: { id: 'zero', name: 'Btw 0%', revenue: account('8020', 'Omzet, btw 0%', 'P') },
  exempt: { id: 'exempt', name: 'Vrijgesteld van btw', revenue: account('8030', 'Omzet, vrijgesteld', 'P') },
  reverse_charge: { id: 'reverse_charge', name: 'Btw verlegd', revenue: account('8040', 'Omzet, btw verlegd', 'P') },
  intra_community: {
    id: 'intra_community',
    name: 'Intracommunautaire levering',
    revenue: account('8050', 'Omzet, intracommunautair', 'P'),
  },
};

/** All of them, by number. */
export const LEDGER: readonly LedgerAccount[] = [
  ...[DEBTORS, CASH, BANK, PROVIDERS, TRANSFERS, ROUNDING, BAD_DEBT],
  ...Object.values(VAT_CODES).flatMap(({ revenue, payable }) => (payable ? [revenue, payable] : [revenue])),
].sort((a, b) => (a.id < b.id ? -1 : 1));
