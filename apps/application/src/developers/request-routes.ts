import type { LoggedRequest } from '@invoicing/contracts/invoicing/gateway/v1/requests';
import { plain, type Cell, type FormBlock } from '../pages/blocks';
import { moment } from '../pages/format';
import { cursorOf, searchOf } from '../pages/list-request';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 50;
const FIRST_ERROR = 400;

/** What programs asked in the last days: looked up by the id that each answer carries. */
export const requestRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get(
      '/requests',
      async (place, request, response) => {
        const { t, at, organizationId } = place;
        const requestId = searchOf(request);
        const failed = request.query['failed'] === 'yes';
        const asked = { organizationId, limit: LISTED, cursor: cursorOf(request), requestId: requestId || undefined };
        const { requests, cursor } = await peers.requests.listRequests(
          { ...asked, failed: failed || undefined },
          place.call(),
        );
        const query = { ...(requestId && { q: requestId }), ...(failed && { failed: 'yes' }) };
        show(response, place, {
          title: t.requests,
          intro: t.requestsIntro,
          sections: [
            {
              forms: [searchForm(place, requestId, failed)],
              table: {
                caption: t.requests,
                columns: [
                  { label: t.date },
                  { label: t.request },
                  { label: t.answer },
                  { label: t.duration, isNumber: true },
                  { label: 'X-Request-Id' },
                ],
                rows: requests.map((each) => rowOf(place, each)),
                empty: t.noRequests,
              },
              actions: cursor
                ? [
                    {
                      label: t.older,
                      href: `${at('requests')}?${new URLSearchParams({ ...query, cursor }).toString()}`,
                    },
                  ]
                : [],
            },
          ],
        });
      },
      'keys.manage',
    );

const searchForm = ({ t, at }: Workplace, requestId: string, failed: boolean): FormBlock => ({
  action: at('requests'),
  method: 'get',
  submit: t.search,
  tone: '',
  fields: [
    { name: 'q', label: 'X-Request-Id', type: 'search', value: requestId, maxLength: 100 },
    {
      name: 'failed',
      label: t.answer,
      value: failed ? 'yes' : '',
      required: true,
      options: [
        { value: '', label: t.everything },
        { value: 'yes', label: t.failedOnly },
      ],
    },
  ],
});

function rowOf({ language, timeZone }: Workplace, each: LoggedRequest): readonly Cell[] {
  const { at, method, path, status, code, durationMs, requestId } = each;
  const said = [status === 0 ? '–' : String(status), code].filter(Boolean).join(' ');
  return [
    plain(moment(at, language, timeZone)),
    plain(`${method} ${path}`),
    { text: said, tone: status >= FIRST_ERROR || status === 0 ? 'bad' : 'good' },
    plain(`${Math.round(durationMs)} ms`),
    plain(requestId),
  ];
}
