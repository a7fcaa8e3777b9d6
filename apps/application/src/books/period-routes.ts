import { faultList, fieldOf, noFaults, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import type { PageBlock } from '../pages/blocks';
import { fill } from '../pages/texts';
import { day } from '../pages/format';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { daysFields, type BooksForm } from './books-pages';
import { lastQuarter } from './books-routes';

const ACTION = 'periods.close';

/** Periods of the books: closed, and the last one opened again. */
export const periodRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    closePeriods(peers, part);
    reopenPeriods(peers, part);
  };

function closePeriods({ periods }: Peers, part: Part): void {
  part.get(
    '/books/close',
    (place, _request, response) => show(response, place, closePage(place, lastQuarter(place), noFaults)),
    ACTION,
  );

  part.post(
    '/books/close',
    (place, request, response) => {
      const { organizationId, at, call } = place;
      const form = { from: fieldOf(request, 'from'), to: fieldOf(request, 'to'), period: '' };
      return submit(
        place,
        response,
        async () => {
          const { from, to } = form;
          const { draftIds } = await periods.closePeriod({ organizationId, from, to }, call());
          // Drafts that are dated in it wait for a later date: they are shown at once.
          return draftIds.length === 0
            ? `${at('books')}?done=yes#periods`
            : `${at('invoices')}?${new URLSearchParams({ status: 'draft', from, to }).toString()}`;
        },
        (faults) => show(response, place, closePage(place, form, faults), response.statusCode),
      );
    },
    ACTION,
  );
}

function reopenPeriods({ periods }: Peers, part: Part): void {
  const page = async (place: Workplace, periodId: string, faults: Faults): Promise<PageBlock> => {
    const { t, at, organizationId, language } = place;
    const found = await periods.listPeriods({ organizationId }, place.call());
    const period = found.periods.find(({ id }) => id === periodId);
    const days = [period?.from ?? '', period?.to ?? ''].map((date) => day(date, language)).join(' – ');
    return {
      title: t.reopen,
      intro: fill(t.reopenText, { days }),
      back: { label: t.books, href: at('books') },
      notice: faults.notice,
      faults: faultList(faults),
      isNarrow: true,
      sections: [
        {
          forms: [
            {
              ...{
                action: at(`books/periods/${periodId}/reopen`),
                submit: t.reopen,
                tone: 'danger',
                cancel: at('books'),
              },
              fields: [
                {
                  ...{ name: 'reason', label: t.reason, value: '', required: true, rows: 2, maxLength: 500 },
                  fault: faults.fields['reason'],
                },
              ],
            },
          ],
        },
      ],
    };
  };

  part.get(
    '/books/periods/:id/reopen',
    async (place, request, response) => show(response, place, await page(place, idOf(request.params['id']), noFaults)),
    ACTION,
  );

  part.post(
    '/books/periods/:id/reopen',
    (place, request, response) => {
      const { organizationId, at, call } = place;
      const periodId = idOf(request.params['id']);
      return submit(
        place,
        response,
        async () => {
          await periods.reopenPeriod({ organizationId, periodId, reason: fieldOf(request, 'reason') }, call());
          return `${at('books')}?done=yes#periods`;
        },
        async (faults) => show(response, place, await page(place, periodId, faults), response.statusCode),
      );
    },
    ACTION,
  );
}

function closePage(place: Workplace, form: BooksForm, faults: Faults): PageBlock {
  const { t, at } = place;
  return {
    title: t.closePeriod,
    intro: t.closePeriodText,
    back: { label: t.books, href: at('books') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            ...{ action: at('books/close'), submit: t.closePeriod, cancel: at('books') },
            fields: daysFields(place, form, faults),
          },
        ],
      },
    ],
  };
}
