import type { Request } from 'express';
import type { NoticeBlock } from './blocks';
import { doneNotice } from './list-request';
import type { Texts } from './texts';

interface Warned {
  readonly code: string;
  readonly message: string;
}

const SENTENCES: Readonly<Partial<Record<string, keyof Texts>>> = {
  intra_community_not_possible: 'warnIntraCommunity',
  reverse_charge_to_private_person: 'warnReverseCharge',
  vat_without_vat_id: 'warnVatWithoutId',
  missing_address: 'warnMissingAddress',
  not_a_kvk_number: 'warnKvkNumber',
};

const sentenceOf = (t: Texts, code: string): string | undefined => {
  const name = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return name && t[name];
};

/** What of something is worth a look, though it was stored as it is. */
export function warningsNotice(t: Texts, warnings: readonly Warned[]): NoticeBlock | undefined {
  const sentences = new Set(warnings.map(({ code, message }) => sentenceOf(t, code) ?? message));
  return sentences.size === 0 ? undefined : { tone: 'warning', title: t.issueWarnings, text: [...sentences].join(' ') };
}

/** Address of a page that says that something was saved, and what of it is worth a look. */
export function savedAddress(page: string, warnings: readonly Pick<Warned, 'code'>[]): string {
  const codes = new Set(warnings.map(({ code }) => code));
  return `${page}?done=yes${codes.size > 0 ? `&warned=${[...codes].join(',')}` : ''}`;
}

/** After something was saved: that it was, or what of it is worth a look. */
export function savedNotice(request: Request, t: Texts): NoticeBlock | undefined {
  const { warned } = request.query;
  const codes = typeof warned === 'string' ? warned.split(',') : [];
  // Of an address that somebody made up only what we say ourselves is shown.
  const sentences = new Set(codes.flatMap((code) => sentenceOf(t, code) ?? []));
  if (sentences.size === 0) return doneNotice(request, t);
  return { tone: 'warning', title: t.savedWarnings, text: [...sentences].join(' ') };
}
