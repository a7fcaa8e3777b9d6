import type { Language } from '@invoicing/design';
import { addDays } from '../invoices/business-date';
import { collectionCosts } from './collection-costs';
import { interestCents, type InterestRate, type OpenSince } from './statutory-interest';

/** One reminder of a plan. */
export interface ReminderStep {
  /** Days after the due date on which it goes out. */
  readonly afterDays: number;
  readonly channel: 'email' | 'post';
  /** Asks for collection costs, where the law allows: of businesses at once, of consumers once they were given fourteen days. */
  readonly costs: boolean;
  /** Asks for interest. */
  readonly interest: boolean;
  /** Said instead of ours, by language. */
  readonly texts: readonly { readonly language: Language; readonly text: string }[];
}

/** How an organisation, or one of its profiles, reminds. */
export interface ReminderPlan {
  readonly enabled: boolean;
  /** In the order of their days. */
  readonly steps: readonly ReminderStep[];
  /** Go before the statutory ones of the same day. */
  readonly rates: readonly InterestRate[];
}

/** The latest step that is due on a day, from 0; undefined before the first. What was missed before it is not made up for. */
export function dueStep({ steps }: Pick<ReminderPlan, 'steps'>, dueDate: string, today: string): number | undefined {
  const at = steps.findLastIndex(({ afterDays }) => addDays(dueDate, afterDays) <= today);
  return at < 0 ? undefined : at;
}

/** What is asked for, in cents. */
export interface Claim {
  readonly openCents: number;
  readonly costsCents: number;
  readonly interestCents: number;
  /** The letter of fourteen days (art. 6:96 lid 6 BW): what costs there will be unless it is paid by then. */
  readonly notice?: { readonly costsCents: number; readonly until: string } | undefined;
}

export interface Debt {
  readonly isConsumer: boolean;
  /** ISO 3166-1: whose law it is. */
  readonly sellerCountry: string;
  readonly buyerCountry: string;
  readonly dueDate: string;
  readonly openCents: number;
  readonly open: readonly OpenSince[];
  /** When a consumer was given fourteen days, and by what. */
  readonly notice?: { readonly sentOn: string; readonly channel: ReminderStep['channel'] } | undefined;
}

/** The term is fourteen days from the day after it arrived; a letter is printed, and arrives not on Sundays or Mondays. */
const NOTICE_DAYS = 14;
const ARRIVES_AFTER = { email: 0, post: 7 } as const;

/** The last day on which a consumer pays without costs. */
export const noticeUntil = (sentOn: string, channel: ReminderStep['channel']): string =>
  addDays(sentOn, ARRIVES_AFTER[channel] + NOTICE_DAYS + 1);

/** What a step asks for on a day: never more than the law of the seller's country, which is read here for the Netherlands only, allows. */
export function claimOf(step: ReminderStep, debt: Debt, today: string, rates: readonly InterestRate[]): Claim {
  const { isConsumer, sellerCountry, buyerCountry, dueDate, openCents, open, notice } = debt;
  // Elsewhere other laws hold, for consumers those of where they live.
  const isDutch = sellerCountry === 'NL' && (!isConsumer || buyerCountry === 'NL' || buyerCountry === '');
  const interest =
    step.interest && isDutch
      ? interestCents({ kind: isConsumer ? 'consumer' : 'business', dueDate, until: today }, open, rates)
      : 0;
  const asked = { openCents, interestCents: interest };
  if (!step.costs || !isDutch) return { ...asked, costsCents: 0 };
  const costsCents = collectionCosts(openCents);
  if (!isConsumer || (notice && noticeUntil(notice.sentOn, notice.channel) < today)) return { ...asked, costsCents };
  if (notice) return { ...asked, costsCents: 0 };
  return { ...asked, costsCents: 0, notice: { costsCents, until: noticeUntil(today, step.channel) } };
}
