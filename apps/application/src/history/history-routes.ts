import type { Request } from 'express';
import type { Actor, HistoryEntry } from '@invoicing/contracts/invoicing/history/v1/history';
import { linked, plain, type Cell, type PageBlock } from '../pages/blocks';
import { dateIn, moment } from '../pages/format';
import { cursorOf } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { PeoplePorts } from '../people/people-ports';
import type { Peers } from '../peers-client';
import { csvRow } from './history-csv';
import { mergeHistory, type HistorySource } from './merge-history';

const LISTED = 100;
// Who looks for what is rare goes on from page to page.
const LOOKED_AT = 1_000;
const EXPORTED = 5_000;
const KINDS = [
  ...[
    'customer',
    'product',
    'draft',
    'invoice',
    'payment',
    'entry',
    'bank_line',
    'subscription',
    'checkout',
    'provider',
  ],
  ...['organization', 'profile', 'period', 'endpoint', 'member'],
] as const;
const DAY_MS = 86_400_000;

interface HistoryFilter {
  readonly who: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** Who did what, in all services, narrowed by its address; and the same as a file. */
export const historyRoutes =
  (peers: Peers, people: Pick<PeoplePorts, 'history'>): AddPart =>
  (part) => {
    const read = (place: Workplace, request: Request, most: { readonly limit: number; readonly lookedAt: number }) => {
      const filter = filterOf(request);
      const since = filter.from ? new Date(Date.parse(filter.from) - DAY_MS) : undefined;
      const { organizationId } = place;
      const wanted = { organizationId, ...most, cursor: cursorOf(request), since, fits: fitterOf(place, filter) };
      return mergeHistory([...sourcesOf(peers, place), ofPeople(people)], wanted);
    };

    part.get(
      '/history',
      async (place, request, response) => {
        const { entries, cursor } = await read(place, request, { limit: LISTED, lookedAt: LOOKED_AT });
        show(response, place, historyPage(place, filterOf(request), entries, cursor));
      },
      'history.read',
    );

    // The suffix gives the gateway more patience.
    part.get(
      '/history/history.csv',
      async (place, request, response) => {
        const { entries, cursor } = await read(place, request, { limit: EXPORTED, lookedAt: EXPORTED });
        const { t } = place;
        const head = csvRow([t.date, t.action, t.subject, 'id', t.conflictField, t.by]);
        const rows = entries.map((entry) => csvRow(exported(t, entry)));
        const more = cursor === undefined ? [] : [csvRow([t.historyMore])];
        // Spreadsheets know by the mark that it is UTF-8.
        response
          .attachment(`history-${dateIn(place.timeZone)}.csv`)
          .type('text/csv; charset=utf-8')
          .send(`\uFEFF${head}${rows.join('')}${more.join('')}`);
      },
      'history.read',
    );
  };

const sourcesOf = (peers: Peers, place: Workplace): readonly HistorySource[] =>
  Object.values(peers.histories).map(
    (client): HistorySource =>
      (request) =>
        client.listHistory(request, place.call()),
  );

/** What the application keeps itself. */
const ofPeople =
  ({ history }: Pick<PeoplePorts, 'history'>): HistorySource =>
  ({ organizationId, limit, cursor }) =>
    history.page(organizationId, { limit, cursor });

const exported = (t: Texts, { at, action, subject, fields, by }: HistoryEntry): string[] => [
  at?.toISOString() ?? '',
  action,
  subject?.label ?? '',
  subject?.id ?? '',
  fields.join(' '),
  actorName(t, by),
];

const DAY = /^\d{4}-\d\d-\d\d$/;

function filterOf({ query }: Pick<Request, 'query'>): HistoryFilter {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name].trim().slice(0, 100) : '');
  const date = (name: string): string =>
    DAY.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : '';
  return { who: text('who'), what: text('what'), from: date('from'), to: date('to') };
}

function fitterOf({ t, timeZone }: Workplace, { who, what, from, to }: HistoryFilter) {
  return ({ at, action, by }: HistoryEntry): boolean => {
    const date = dateIn(timeZone, at);
    if (what !== '' && !action.startsWith(`${what}.`)) return false;
    if ((from !== '' && date < from) || (to !== '' && date > to)) return false;
    return who === '' || actorName(t, by).toLowerCase().includes(who.toLowerCase());
  };
}

const PLACES: Readonly<Record<string, string>> = {
  customer: 'customers',
  product: 'products',
  draft: 'invoices',
  invoice: 'invoices',
  credit_note: 'invoices',
  bank_line: 'bank/lines',
  checkout: 'checkouts',
  member: 'people',
  subscription: 'subscriptions',
};

function historyPage(
  place: Workplace,
  filter: HistoryFilter,
  entries: readonly HistoryEntry[],
  cursor: string | undefined,
): PageBlock {
  const { t, at, language, timeZone } = place;
  const said = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const address = (path: string, more: object = {}): string =>
    `${at(path)}?${new URLSearchParams({ ...said, ...more }).toString()}`;
  const subjectCell = ({ subject }: HistoryEntry): Cell => {
    const folder = PLACES[subject?.kind ?? ''];
    const label = subject?.label || t.none;
    return folder && subject ? linked(label, at(`${folder}/${subject.id}`)) : plain(label);
  };
  return {
    title: t.history,
    actions: [{ label: t.historyExport, href: address('history/history.csv') }],
    sections: [
      {
        isFormFirst: true,
        forms: [filterForm(place, filter)],
        table: {
          caption: t.history,
          columns: [
            ...[{ label: t.date }, { label: t.action }, { label: t.subject }, { label: t.conflictField }],
            { label: t.by },
          ],
          rows: entries.map((entry) => [
            plain(moment(entry.at, language, timeZone)),
            plain(entry.action),
            subjectCell(entry),
            plain(entry.fields.join(', ') || t.none),
            plain(actorName(t, entry.by)),
          ]),
          empty:
            cursor === undefined ? (Object.keys(said).length > 0 ? t.nothingFits : t.noHistory) : t.nothingYetFound,
        },
        actions: cursor === undefined ? [] : [{ label: t.older, href: address('history', { cursor }) }],
      },
    ],
  };
}

const filterForm = ({ t, at }: Workplace, { who, what, from, to }: HistoryFilter) => ({
  action: at('history'),
  method: 'get' as const,
  submit: t.filter,
  tone: '' as const,
  isRow: true,
  fields: [
    { name: 'who', label: t.by, type: 'search' as const, value: who, maxLength: 100, isQuiet: true },
    {
      ...{ name: 'what', label: t.action, value: what, isQuiet: true },
      options: [{ value: '', label: t.all }, ...KINDS.map((value) => ({ value, label: value }))],
    },
    { name: 'from', label: t.dateFrom, type: 'date' as const, value: from, isQuiet: true },
    { name: 'to', label: t.dateTo, type: 'date' as const, value: to, isQuiet: true },
  ],
  ...([who, what, from, to].some(Boolean) && { cancel: at('history'), cancelLabel: t.showAll }),
});

/** Who did it, as people know them. */
export function actorName(t: Texts, by: Actor | undefined): string {
  const label = by?.label || by?.id || '';
  if (by?.kind === 'key') return fill(t.byKey, { label });
  if (by?.kind === 'operator') return fill(t.byOperator, { label });
  return by?.kind === 'user' ? label : t.byService;
}
