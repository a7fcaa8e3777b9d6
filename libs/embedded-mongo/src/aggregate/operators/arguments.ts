import { type ErrorName } from '../../error-codes';

interface Refusals {
  /** The operand is no object. */
  object?: ErrorName;
  unknown?: ErrorName;
  missing?: Record<string, ErrorName>;
}

/** The errors of operators that name their arguments; each has its own in MongoDB. */
export const argumentErrors: Readonly<Record<string, Refusals>> = {
  $filter: { object: 'Location28646', unknown: 'Location28647', missing: { input: 'Location28648', cond: 'Location28650' } },
  $map: { object: 'Location16878', unknown: 'Location16879', missing: { input: 'Location16880', in: 'Location16882' } },
  $reduce: { object: 'Location40075', unknown: 'Location40076', missing: { input: 'Location40077', initialValue: 'Location40078', in: 'Location40079' } },
  $let: { object: 'Location16874', unknown: 'Location16875', missing: { vars: 'Location16876', in: 'Location16877' } },
  $cond: { unknown: 'Location17083', missing: { if: 'Location17080', then: 'Location17081', else: 'Location17082' } },
  $switch: { object: 'Location40060', unknown: 'Location40067', missing: { branches: 'Location40068' } },
  '$switch branch': { object: 'Location40062', unknown: 'Location40063', missing: { case: 'Location40064', then: 'Location40065' } },
  $zip: { object: 'Location34460', unknown: 'Location34464', missing: { inputs: 'Location34465' } },
  $sortArray: { object: 'Location2942500', unknown: 'Location2942501', missing: { input: 'Location2942502', sortBy: 'Location2942503' } },
  $convert: { object: 'FailedToParse', unknown: 'FailedToParse', missing: { input: 'FailedToParse', to: 'FailedToParse' } },
}; // prettier-ignore

/** Where an operator's words are not those of most. */
export const unknownArgument = (operator: string, name: string): string => {
  if (operator === '$convert') return `$convert found an unknown argument: ${name}`;
  if (operator === '$switch') return `$switch found an unknown argument: ${name}`;
  if (operator === '$switch branch') return `$switch found an unknown argument to a branch: ${name}`;
  if (operator === '$zip') return `$zip found an unknown argument: ${name}`;
  return `Unrecognized parameter to ${operator}: ${name}`;
};

/** mongod's sentence for an argument that is not given. */
export const missingArgument = (operator: string, name: string): string => {
  if (operator === '$switch') return '$switch requires at least one branch.';
  if (operator === '$switch branch') return `$switch requires each branch have a '${name}' expression`;
  if (operator === '$zip') return '$zip requires at least one input array';
  return `Missing '${name}' parameter to ${operator}`;
};
