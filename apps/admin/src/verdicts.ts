import type { StatementGap } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import type { NumberSeries } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { VatBox } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { euros } from './output';

// The closing line of what a verb answers: what it comes to, for who reads nothing else.

/** `1 line`, `3 lines`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `6 series, 53 numbers, no gaps`, or what is wrong. */
export function numbersVerdict(
  series: readonly Pick<NumberSeries, 'count' | 'gapless' | 'chainValid' | 'numbersUnique'>[],
): string {
  const faults = [
    [series.filter(({ gapless }) => !gapless).length, 'with gaps'],
    [series.filter(({ chainValid }) => !chainValid).length, 'with a broken chain'],
    [series.filter(({ numbersUnique }) => !numbersUnique).length, 'with numbers that others show, too'],
  ] as const;
  const found = faults.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const numbers = series.reduce((sum, { count }) => sum + count, 0);
  return `${series.length} series, ${counted(numbers, 'number')}, ${found.length > 0 ? found.join(', ') : 'no gaps'}`;
}

interface Imported {
  readonly lines: number;
  readonly booked: number;
  readonly questions: readonly unknown[];
  readonly moneyOut: number;
  readonly duplicates: number;
  readonly gaps: readonly StatementGap[];
}

/** `3 lines: 1 booked, 1 question for a person, 1 money out, 0 known before; no statement is missing`. */
export function importVerdict({ lines, booked, duplicates, moneyOut, questions, gaps }: Imported): string {
  const parts = [
    `${booked} booked`,
    questionsVerdict(questions),
    `${moneyOut} money out`,
    `${duplicates} known before`,
  ];
  return `${counted(lines, 'line')}: ${parts.join(', ')}; ${gapsVerdict(gaps)}`;
}

/** `2 questions for a person`. */
export const questionsVerdict = ({ length }: readonly unknown[]): string =>
  `${counted(length, 'question')} for a person`;

/** `no statement is missing`, or between how many something is. */
export const gapsVerdict = ({ length }: readonly StatementGap[]): string =>
  length === 0 ? 'no statement is missing' : `statements are missing in ${counted(length, 'place')}`;

type Box = Pick<VatBox, 'documents' | 'documentsWithWarnings'>;

/** `€43 VAT on sales, in whole euros a box; 2 documents, none with a warning`. */
export function vatVerdict(boxes: readonly Box[], vatEuros: number): string {
  const sum = (of: keyof Box): number => boxes.reduce((total, each) => total + each[of], 0);
  const warned = sum('documentsWithWarnings');
  const due = euros(vatEuros * 100).replace(/\.00$/, '');
  return `${due} VAT on sales, in whole euros a box; ${counted(sum('documents'), 'document')}, ${warned || 'none'} with a warning`;
}
