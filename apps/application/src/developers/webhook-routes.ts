import { plain } from '../pages/blocks';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** Webhook endpoints. */
export const webhookRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/webhooks', async (place, _request, response) => {
      const { t, organizationId } = place;
      const { endpoints } = await peers.webhooks.listEndpoints({ organizationId }, place.call());
      show(response, place, {
        title: t.webhooks,
        sections: [
          {
            table: {
              caption: t.webhooks,
              columns: [{ label: t.url }, { label: t.events }, { label: t.state }],
              rows: endpoints.map((each) => [
                plain(each.url),
                plain(each.events.join(', ') || t.allEvents),
                each.enabled
                  ? { text: t.stateActive, tone: 'good' as const }
                  : { text: t.stateDisabled, tone: 'bad' as const },
              ]),
              empty: t.noWebhooks,
            },
          },
        ],
      });
    });
