import type { Request } from 'express';
import type { Action } from '@invoicing/rules';
import { plain, type Cell, type PageBlock } from '../pages/blocks';
import { money } from '../pages/format';
import { fieldOf, noFaults, submit, type Faults } from '../pages/form-request';
import { idOf, searchForm, searchOf } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const SHOWN = 20;

/** One of two that may be the same, as people tell them apart. */
interface Twin {
  readonly id: string;
  readonly name: string;
  readonly more: string;
  /** What its duplicates mostly share. */
  readonly likeness: string;
}

/** What can be merged: where its pages are, what they say, and how the catalog is asked. */
interface Mergeable {
  readonly folder: 'customers' | 'products';
  readonly action: Action;
  readonly words: Readonly<Record<'title' | 'text' | 'list' | 'nobody', keyof Texts>>;
  readonly find: (place: Workplace, id: string) => Promise<Twin>;
  readonly search: (place: Workplace, text: string) => Promise<readonly Twin[]>;
  /** Answers the id of the one that stays. */
  readonly merge: (place: Workplace, id: string, into: string) => Promise<string>;
}

/** Two customers, or two products, that are one: the one that stays is chosen from those that look alike, or looked for. */
export const mergeRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    for (const mergeable of [customers(peers), products(peers)]) {
      const { folder, action } = mergeable;
      part.get(
        `/${folder}/:id/merge`,
        async (place, request, response) => show(response, place, await page(mergeable, place, request, noFaults)),
        action,
      );
      part.post(
        `/${folder}/:id/merge`,
        (place, request, response) =>
          submit(
            place,
            response,
            async () => {
              const stays = await mergeable.merge(place, idOf(request.params['id']), idOf(fieldOf(request, 'into')));
              return `${place.at(`${folder}/${stays}`)}?done=yes`;
            },
            async (faults) => show(response, place, await page(mergeable, place, request, faults), response.statusCode),
          ),
        action,
      );
    }
  };

const customers = (peers: Peers): Mergeable => {
  type Found = Awaited<ReturnType<typeof peers.customers.getCustomer>>;
  const twin = ({ id, details }: Found): Twin => {
    const name = details?.companyName || details?.name || '';
    const more = [details?.email, details?.city, details?.btwId].filter(Boolean).join(', ');
    return { id, name, more, likeness: details?.email ?? firstWord(name) };
  };
  return {
    ...{ folder: 'customers', action: 'customers.write' },
    words: { title: 'mergeTitle', text: 'mergeText', list: 'customers', nobody: 'mergeNobody' },
    find: async ({ organizationId, call }, customerId) =>
      twin(await peers.customers.getCustomer({ organizationId, customerId }, call())),
    search: async ({ organizationId, call }, text) =>
      (await peers.customers.listCustomers({ organizationId, limit: SHOWN, text }, call())).customers.map(twin),
    merge: async ({ organizationId, call }, customerId, intoCustomerId) =>
      (await peers.customers.mergeCustomers({ organizationId, customerId, intoCustomerId }, call())).id,
  };
};

const products = (peers: Peers): Mergeable => {
  type Found = Awaited<ReturnType<typeof peers.products.getProduct>>;
  const twin = ({ currency, language }: Workplace, { id, details }: Found): Twin => {
    const { name = '', unitPriceCents = 0, unit, sku } = details ?? {};
    const more = [money(unitPriceCents, currency, language), unit, sku].filter(Boolean).join(', ');
    return { id, name, more, likeness: firstWord(name) };
  };
  return {
    ...{ folder: 'products', action: 'products.write' },
    words: { title: 'mergeProducts', text: 'mergeProductText', list: 'products', nobody: 'mergeNothing' },
    find: async (place, productId) =>
      twin(place, await peers.products.getProduct({ organizationId: place.organizationId, productId }, place.call())),
    search: async (place, text) => {
      const { organizationId } = place;
      const found = await peers.products.listProducts({ organizationId, limit: SHOWN, text }, place.call());
      return found.products.map((product) => twin(place, product));
    },
    merge: async ({ organizationId, call }, productId, intoProductId) =>
      (await peers.products.mergeProducts({ organizationId, productId, intoProductId }, call())).id,
  };
};

const firstWord = (name: string): string => name.split(/\s+/)[0] ?? '';

async function page(mergeable: Mergeable, place: Workplace, request: Request, faults: Faults): Promise<PageBlock> {
  const { folder, words, find, search } = mergeable;
  const { t, at } = place;
  const { id, name, likeness } = await find(place, idOf(request.params['id']));
  const text = searchOf(request) || likeness;
  const others = (await search(place, text)).filter((other) => other.id !== id);
  const wrong = Object.values(faults.fields).join('; ');
  const here = at(`${folder}/${id}`);
  const choice = (other: Twin): Cell[] => [
    plain(other.name || t.none),
    plain(other.more || t.none),
    {
      text: t.mergeInto,
      form: { action: `${here}/merge`, submit: t.mergeInto, tone: '', hidden: { into: other.id } },
    },
  ];
  return {
    title: t[words.title],
    intro: fill(t[words.text], { name }),
    back: { label: name, href: here },
    notice: wrong ? { tone: 'bad', title: t.wrongTitle, text: wrong } : faults.notice,
    sections: [
      {
        isFormFirst: true,
        forms: [searchForm(`${here}/merge`, text, t)],
        table: {
          caption: t[words.list],
          columns: [{ label: t.name }, { label: t.details }, { label: t.mergeStays }],
          rows: others.map(choice),
          empty: t[words.nobody],
        },
      },
    ],
  };
}
