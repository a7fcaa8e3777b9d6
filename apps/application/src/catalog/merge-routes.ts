import type { Request } from 'express';
import type { Customer } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { plain, type Cell, type PageBlock } from '../pages/blocks';
import { fieldOf, noFaults, submit, type Faults } from '../pages/form-request';
import { idOf, searchForm, searchOf } from '../pages/list-request';
import { fill } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const SHOWN = 20;

/** Two customers that are one: the one that stays is chosen from those that look alike, or looked for. */
export const mergeRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    const page = async (place: Workplace, request: Request, faults: Faults): Promise<PageBlock> => {
      const { organizationId } = place;
      const customerId = idOf(request.params['id']);
      const customer = await peers.customers.getCustomer({ organizationId, customerId }, place.call());
      const text = searchOf(request) || likenessOf(customer);
      const found = await peers.customers.listCustomers({ organizationId, limit: SHOWN, text }, place.call());
      const others = found.customers.filter(({ id }) => id !== customerId);
      return mergePage(place, customer, { text, others, faults });
    };

    part.get(
      '/customers/:id/merge',
      async (place, request, response) => show(response, place, await page(place, request, noFaults)),
      'customers.write',
    );

    part.post(
      '/customers/:id/merge',
      (place, request, response) =>
        submit(
          place,
          response,
          async () => {
            const { organizationId, at } = place;
            const customerId = idOf(request.params['id']);
            const intoCustomerId = idOf(fieldOf(request, 'into'));
            const stays = await peers.customers.mergeCustomers(
              { organizationId, customerId, intoCustomerId },
              place.call(),
            );
            return `${at(`customers/${stays.id}`)}?done=yes`;
          },
          async (faults) => show(response, place, await page(place, request, faults), response.statusCode),
        ),
      'customers.write',
    );
  };

/** Duplicates mostly share their mailbox; else a word of the name. */
const likenessOf = ({ details }: Customer): string =>
  details?.email ?? (details?.companyName ?? details?.name ?? '').split(/\s+/)[0] ?? '';

interface Alike {
  readonly text: string;
  readonly others: readonly Customer[];
  readonly faults: Faults;
}

function mergePage(place: Workplace, { id, details }: Customer, { text, others, faults }: Alike): PageBlock {
  const { t, at } = place;
  const name = details?.companyName || details?.name || '';
  const wrong = Object.values(faults.fields).join('; ');
  const choice = (other: Customer): Cell[] => [
    plain(other.details?.companyName || other.details?.name || t.none),
    plain([other.details?.email, other.details?.city, other.details?.btwId].filter(Boolean).join(', ') || t.none),
    {
      text: t.mergeInto,
      form: { action: at(`customers/${id}/merge`), submit: t.mergeInto, tone: '', hidden: { into: other.id } },
    },
  ];
  return {
    title: t.mergeTitle,
    intro: fill(t.mergeText, { name }),
    back: { label: name, href: at(`customers/${id}`) },
    notice: wrong ? { tone: 'bad', title: t.wrongTitle, text: wrong } : faults.notice,
    sections: [
      {
        isFormFirst: true,
        forms: [searchForm(at(`customers/${id}/merge`), text, t)],
        table: {
          caption: t.customers,
          columns: [{ label: t.name }, { label: t.details }, { label: t.mergeStays }],
          rows: others.map(choice),
          empty: t.mergeNobody,
        },
      },
    ],
  };
}
