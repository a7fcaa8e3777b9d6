import { Frequency, SubscriptionStatus } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { customerNames } from '../invoices/invoice-table';
import { plain, type Cell } from '../pages/blocks';
import { day } from '../pages/format';
import { cursorOf, olderAction } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 50;

const UNITS: Readonly<Record<string, keyof Texts>> = {
  [Frequency.WEEKLY]: 'freqWeekly',
  [Frequency.MONTHLY]: 'freqMonthly',
  [Frequency.QUARTERLY]: 'freqQuarterly',
  [Frequency.YEARLY]: 'freqYearly',
};

/** Subscriptions: invoices that come back by themselves. */
export const subscriptionRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/subscriptions', async (place, request, response) => {
      const { t, at, organizationId, language } = place;
      const asked = { organizationId, limit: LISTED, profileId: undefined, cursor: cursorOf(request) };
      const { subscriptions, cursor } = await peers.subscriptions.listSubscriptions(asked, place.call());
      const names = await customerNames(peers, place, subscriptions);
      show(response, place, {
        title: t.subscriptions,
        sections: [
          {
            table: {
              caption: t.subscriptions,
              columns: [{ label: t.customer }, { label: t.every }, { label: t.nextRun }, { label: t.state }],
              rows: subscriptions.map((each) => [
                plain(names.get(each.customerId) ?? t.none),
                plain(rhythm(t, each.freq, each.interval)),
                plain(day(each.nextRunDate ?? '', language) || t.none),
                stateOf(t, each.status),
              ]),
              empty: t.noSubscriptions,
            },
            actions: olderAction(at('subscriptions'), '', cursor, t),
          },
        ],
      });
    });

function rhythm(t: Texts, freq: Frequency, interval: number): string {
  const unit = t[UNITS[freq] ?? 'none'];
  return fill(interval > 1 ? t.everyMany : t.everyOne, { unit, count: String(interval) });
}

function stateOf(t: Texts, status: SubscriptionStatus): Cell {
  if (status === SubscriptionStatus.ACTIVE) return { text: t.stateActive, tone: 'good' };
  if (status === SubscriptionStatus.PAUSED) return { text: t.statePaused, tone: 'warning' };
  return { text: t.stateEnded, tone: 'plain' };
}
