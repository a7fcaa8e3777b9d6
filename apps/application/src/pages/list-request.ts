import type { Request } from 'express';
import { ArchivedFilter } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { notFoundError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import type { ActionBlock, FormBlock, NoticeBlock } from './blocks';
import type { Texts } from './texts';

const MAX_SEARCH = 100;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is looked for in a list; empty: everything. */
export const searchOf = (request: Request): string => textOf(request.query['q']).trim().slice(0, MAX_SEARCH);

/** Where the page of a list begins. */
export const cursorOf = (request: Request): string | undefined => textOf(request.query['cursor']) || undefined;

export const searchForm = (action: string, text: string, t: Texts): FormBlock => ({
  action,
  method: 'get',
  submit: t.search,
  tone: '',
  fields: [{ name: 'q', label: t.searchFor, type: 'search', value: text, maxLength: MAX_SEARCH, required: true }],
});

/** The way to what is older, when there is more. */
export const olderAction = (
  action: string,
  text: string,
  cursor: string | undefined,
  t: Texts,
): readonly ActionBlock[] =>
  cursor === undefined
    ? []
    : [{ label: t.older, href: `${action}?${new URLSearchParams({ ...(text && { q: text }), cursor }).toString()}` }];

/** An id in an address. Throws `not_found` for what is none. */
export function idOf(text: unknown): string {
  if (typeof text === 'string' && isUuid(text)) return text;
  throw notFoundError('the page');
}

/** After something was done: that it was. */
export const doneNotice = (request: Request, t: Texts): NoticeBlock | undefined =>
  request.query['done'] === 'yes' ? { tone: 'good', text: t.done } : undefined;

/** Lists leave out what is archived, unless it is asked for. */
export const isArchivedList = (request: Request): ArchivedFilter | undefined =>
  request.query['archived'] === 'yes' ? ArchivedFilter.ONLY : undefined;
