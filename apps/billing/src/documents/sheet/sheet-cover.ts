import { formatDate, formatMoney } from '@invoicing/design';
import { WORDING } from '../wording/wording';
import { type FactsView, factsOf } from './sheet-facts';
import { type PanelView, panelOf } from './sheet-panel';
import type { SheetSource } from './sheet-source';
import type { SumsView } from './sheet-sums';

/** The first sheet of a letter that reminds: why it comes, what it asks for and how that is paid. */
export interface CoverView {
  readonly heading: string;
  readonly date: string;
  readonly facts: FactsView;
  readonly text: string;
  readonly sums: SumsView['sums'];
  readonly total: SumsView['total'];
  readonly panel: PanelView | null;
}

/** The cover of a sheet; null when it has none. */
export async function coverOf(source: SheetSource): Promise<CoverView | null> {
  const { reminder, invoice, account } = source;
  if (!reminder) return null;
  const { language } = invoice;
  const words = WORDING[language];
  const money = (cents: number): string => formatMoney(cents, language);
  const extras = reminder.extras.filter(({ cents }) => cents > 0);
  const all = extras.reduce((sum, { cents }) => sum + cents, reminder.openCents);
  const open = { label: words.stillToPay, amount: money(reminder.openCents) };
  const asked = { entries: [], today: reminder.date, ...account, openCents: all };
  return {
    heading: reminder.title,
    date: formatDate(reminder.date, language),
    facts: factsOf(source).facts,
    text: reminder.text,
    sums: [
      { label: words.totalIncl, amount: money(invoice.totals.inclCents) },
      ...(extras.length > 0 ? [open, ...extras.map(({ label, cents }) => ({ label, amount: money(cents) }))] : []),
    ],
    total: extras.length > 0 ? { label: reminder.sumLabel, amount: money(all) } : open,
    // Asks for all of it, as its payment code does.
    panel: await panelOf({ ...source, account: asked }),
  };
}
