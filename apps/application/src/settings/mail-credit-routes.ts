import type { CreditEntry } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { plain, type Cell } from '../pages/blocks';
import { moment } from '../pages/format';
import { cursorOf, olderAction } from '../pages/list-request';
import type { Texts } from '../pages/texts';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 50;

/** Mail credits, entry by entry. */
export const mailCreditRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get(
      '/settings/credits',
      async (place, request, response) => {
        const { t, at, organizationId, language, timeZone } = place;
        const before = Number(cursorOf(request)) || undefined;
        const [{ entries }, balance] = await Promise.all([
          peers.credits.listCreditEntries({ organizationId, limit: LISTED, before }, place.call()),
          peers.credits.getCreditBalance({ organizationId }, place.call()),
        ]);
        const last = entries.length === LISTED ? entries.at(-1)?.seq : undefined;
        const cursor = last === undefined || last === 1 ? undefined : String(last);
        show(response, place, {
          title: t.mailCredits,
          intro: t.mailCreditsText,
          back: { label: t.settings, href: at('settings') },
          sections: [
            {
              facts: [
                [t.creditsFree, plain(String(balance.balance))],
                [t.creditsReserved, plain(String(balance.reserved))],
              ],
            },
            {
              title: t.ledger,
              table: {
                caption: t.ledger,
                columns: [
                  { label: t.date },
                  { label: t.action },
                  { label: t.change, isNumber: true },
                  { label: t.creditsFree, isNumber: true },
                  { label: t.creditsReserved, isNumber: true },
                ],
                rows: entries.map((entry) => [
                  plain(moment(entry.createdAt, language, timeZone)),
                  whatOf(t, entry),
                  plain(signed(entry)),
                  plain(String(entry.balance)),
                  plain(String(entry.reserved)),
                ]),
                empty: t.noCreditEntries,
              },
              actions: olderAction(at('settings/credits'), '', cursor, t),
            },
          ],
        });
      },
      'credits.read',
    );

const KINDS: Readonly<Record<string, keyof Texts>> = {
  grant: 'creditGrant',
  reserve: 'creditReserve',
  consume: 'creditConsume',
  release: 'creditRelease',
};

const whatOf = (t: Texts, { kind, reason }: CreditEntry): Cell =>
  plain(`${t[KINDS[kind] ?? 'none']}${reason ? `: ${reason}` : ''}`);

/** What it did to what is free. */
const signed = ({ kind, credits }: CreditEntry): string =>
  ({ grant: `+${credits}`, reserve: '−1', release: '+1' })[kind] ?? '0';
