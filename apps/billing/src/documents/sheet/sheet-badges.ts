import { formatDate } from '@invoicing/design';
import { WORDING, type Wording } from '../wording/wording';
import type { SheetSource } from './sheet-source';
import { sheetState, type SheetState } from './sheet-state';

/** A word beside the heading; its tone says how it is coloured. */
export interface BadgeView {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'plain';
}

const SHOWN: Partial<Record<SheetState, readonly [keyof Wording & `status${string}`, BadgeView['tone']]>> = {
  draft: ['statusDraft', 'plain'],
  overdue: ['statusOverdue', 'bad'],
  partly_paid: ['statusPartlyPaid', 'plain'],
  paid: ['statusPaid', 'good'],
  overpaid: ['statusOverpaid', 'good'],
  credited: ['statusCredited', 'plain'],
};

/** The document's state, and on a copy the day that it was true. An open original needs neither. */
export function badgesOf(source: SheetSource): BadgeView[] {
  const { invoice, account, isTest } = source;
  const words = WORDING[invoice.language];
  const [word, tone = 'plain'] = SHOWN[sheetState(source)] ?? [];
  const isCopy = account && (account.entries.length > 0 || word);
  return [
    // The banner is decoration to a screen reader; this is read out.
    ...(isTest || invoice.test ? [{ text: 'TEST', tone: 'bad' as const }] : []),
    ...(word ? [{ text: words[word], tone }] : []),
    ...(isCopy ? [{ text: words.copyOf(formatDate(account.today, invoice.language)), tone: 'plain' as const }] : []),
  ];
}

export function bannerOf({ invoice, isTest, isDraft }: SheetSource): string {
  const words = WORDING[invoice.language];
  return [isTest || invoice.test ? words.testBanner : '', isDraft ? words.draftBanner : ''].filter(Boolean).join(' · ');
}
