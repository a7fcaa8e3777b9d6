import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { Line } from '@invoicing/contracts/invoicing/billing/v1/line';
import { treatmentName } from '../editor/line-view';
import { plain, type TableBlock } from '../pages/blocks';
import { day, money, percent } from '../pages/format';
import type { Workplace } from '../pages/visit';
import { formOf, type DraftForm, type HeadForm } from './draft-form';
import { documentLanguages } from './draft-view';

/** What a draft says otherwise than somebody's form of it: field by field, theirs beside yours. */
export interface Difference {
  readonly label: string;
  readonly theirs: string;
  readonly yours: string;
}

/** `lines` are those of the form as billing prices them; `names` says how customers are called. */
export function differencesOf(
  place: Workplace,
  theirs: Invoice,
  yours: { readonly form: DraftForm; readonly lines: readonly Line[] },
  names: ReadonlyMap<string, string>,
): Difference[] {
  const { t, language } = place;
  const shown = shownOf(place, names);
  const saved = formOf(theirs, language);
  const profile = (form: HeadForm): string => form.profileId || (place.organization.profiles[0]?.id ?? '');
  const heads = shown.flatMap(({ label, value }) => {
    const [a, b] = [
      value({ ...saved, profileId: profile(saved) }),
      value({ ...yours.form, profileId: profile(yours.form) }),
    ];
    return a === b ? [] : [{ label, theirs: a || t.none, yours: b || t.none }];
  });
  const most = Math.max(theirs.lines.length, yours.lines.length);
  const lines = Array.from({ length: most }, (_, index) => {
    const [a, b] = [theirs.lines[index], yours.lines[index]].map((line) => (line ? lineText(place, line) : t.none));
    return { label: `${t.line} ${index + 1}`, theirs: a!, yours: b! };
  }).filter(({ theirs: a, yours: b }) => a !== b);
  return [...heads, ...lines];
}

/** The same, for people to compare. */
export const conflictTable = ({ t }: Workplace, differences: readonly Difference[]): TableBlock => ({
  caption: t.conflictTitle,
  columns: [{ label: t.conflictField }, { label: t.conflictTheirs }, { label: t.conflictYours }],
  rows: differences.map(({ label, theirs, yours }) => [plain(label), plain(theirs), plain(yours)]),
  empty: t.none,
});

function lineText({ t, currency, language }: Workplace, line: Line): string {
  const price = `${line.quantity}${line.unit ? ` ${line.unit}` : ''} × ${money(line.unitPriceCents, currency, language)}`;
  const discount = line.discountBps ? [`−${percent(line.discountBps, language)}`] : [];
  return [line.description, price, ...discount, treatmentName(t, line.vatTreatment)].join(' · ');
}

interface Shown {
  readonly label: string;
  readonly value: (form: HeadForm) => string;
}

const shownOf = ({ t, language, organization }: Workplace, names: ReadonlyMap<string, string>): readonly Shown[] => [
  { label: t.customer, value: ({ customerId }) => names.get(customerId) ?? customerId },
  {
    label: t.profile,
    value: ({ profileId }) => organization.profiles.find(({ id }) => id === profileId)?.name ?? profileId,
  },
  { label: t.date, value: ({ issueDate }) => dayOf(issueDate, language) },
  { label: t.dueDate, value: ({ dueDate }) => dayOf(dueDate, language) },
  { label: t.pricesAre, value: (form) => (form.pricesIncludeVat === 'yes' ? t.pricesInclude : t.pricesExclude) },
  { label: t.documentLanguage, value: (form) => documentLanguages(t)[form.language] ?? form.language },
  { label: t.supplyDate, value: ({ supplyDate }) => dayOf(supplyDate, language) },
  {
    label: t.period,
    value: ({ periodFrom, periodTo }) =>
      [periodFrom, periodTo]
        .map((each) => dayOf(each, language))
        .filter(Boolean)
        .join(' – '),
  },
  { label: t.buyerReference, value: ({ reference }) => reference },
  { label: t.note, value: ({ note }) => note },
  { label: t.post, value: ({ post }) => (post === 'yes' ? t.yes : t.no) },
];

/** What is no day is shown as it was typed. */
const dayOf = (date: string, language: Workplace['language']): string =>
  /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date)) ? day(date, language) : date;
