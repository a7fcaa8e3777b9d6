import { plain } from '../pages/blocks';
import { moment } from '../pages/format';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** API keys. */
export const keyRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/keys', async (place, _request, response) => {
      const { t, organizationId, language, timeZone } = place;
      const { keys } = await peers.keys.listKeys({ organizationId }, place.call());
      show(response, place, {
        title: t.keys,
        sections: [
          {
            table: {
              caption: t.keys,
              columns: [{ label: t.prefix }, { label: t.scopes }, { label: t.lastUsed }, { label: t.state }],
              rows: keys.map((key) => [
                plain(`${key.prefix}…`),
                plain(key.scopes.join(', ') || t.none),
                plain(moment(key.lastUsedAt, language, timeZone) || t.none),
                key.revokedAt
                  ? { text: t.stateRevoked, tone: 'plain' as const }
                  : { text: t.stateActive, tone: 'good' as const },
              ]),
              empty: t.noKeys,
            },
          },
        ],
      });
    });
