import { isDoc, type Doc } from '../bson/value';

/** The first stages of a pipeline as a search that can use an index, and the stages that are left. */
export interface Leading {
  search: { filter: Doc; sort: Doc | undefined; limit: number | undefined };
  rest: Doc[];
}

/** The stages at the start of a pipeline that a plan can serve: $match and one $sort; a $limit right behind is looked at, not taken. */
export function leading(stages: Doc[]): Leading {
  const filters: Doc[] = [];
  let sort: Doc | undefined;
  let at = 0;
  for (; at < stages.length; at++) {
    const { $match, $sort } = stages[at]!;
    if (isDoc($match) && !sort) filters.push($match);
    else if (isDoc($sort) && Object.keys($sort).length > 0 && !sort) sort = $sort;
    else break;
  }
  const limit = stages[at]?.$limit;
  return {
    search: {
      filter: filters.length === 1 ? filters[0]! : filters.length === 0 ? {} : { $and: filters },
      sort,
      limit: typeof limit === 'number' && limit > 0 ? limit : undefined,
    },
    rest: stages.slice(at),
  };
}
