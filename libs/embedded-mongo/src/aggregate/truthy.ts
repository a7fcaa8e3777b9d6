import { compareNumbers } from '../bson/compare';
import { isNumber } from '../bson/arithmetic';
import { type Value } from '../bson/value';

/** False are false, null, missing and zero; everything else, the empty string too, is true. */
export const truthy = (value: Value | undefined): boolean => {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || compareNumbers(value, 0) !== 0;
};
