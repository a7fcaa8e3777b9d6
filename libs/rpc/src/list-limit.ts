import { validationError } from '@invoicing/errors';

/** How many a list answers: what is asked for, `usual` when nothing is (0). Throws `validation` beyond `most` and below 0. */
export function listLimit(asked: number, { usual, most }: { readonly usual: number; readonly most: number }): number {
  if (asked < 0 || asked > most) throw validationError([{ path: '/limit', message: `must be from 0 to ${most}` }]);
  return asked === 0 ? usual : asked;
}
