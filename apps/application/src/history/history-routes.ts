import type { Actor } from '@invoicing/contracts/invoicing/history/v1/history';
import { plain } from '../pages/blocks';
import { moment } from '../pages/format';
import { cursorOf, olderAction } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 100;

/** Who did what. */
export const historyRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/history', async (place, request, response) => {
      const { t, at, organizationId, language, timeZone } = place;
      const asked = { organizationId, limit: LISTED, cursor: cursorOf(request) };
      const { entries, cursor } = await peers.history.listHistory(asked, place.call());
      show(response, place, {
        title: t.history,
        sections: [
          {
            table: {
              caption: t.history,
              columns: [{ label: t.date }, { label: t.action }, { label: t.subject }, { label: t.by }],
              rows: entries.map((entry) => [
                plain(moment(entry.at, language, timeZone)),
                plain(entry.action),
                plain(entry.subject?.label ?? ''),
                plain(actorName(t, entry.by)),
              ]),
              empty: t.noHistory,
            },
            actions: olderAction(at('history'), '', cursor, t),
          },
        ],
      });
    });

/** Who did it, as people know them. */
function actorName(t: Texts, by: Actor | undefined): string {
  const label = by?.label || by?.id || '';
  if (by?.kind === 'key') return fill(t.byKey, { label });
  if (by?.kind === 'operator') return fill(t.byOperator, { label });
  return by?.kind === 'user' ? label : t.byService;
}
