import { CommandError } from '../command-error';
import { isDoc, type Doc } from '../bson/value';
import { type Plan } from '../plan/choose-plan';
import { isCovered } from '../plan/covered';
import { find, type FindOptions } from '../plan/find';
import { namespaceOf } from '../storage/collection';
import { canonicalName, checkCommand } from './check-command';
import { docField, type Command } from './command';
import { finish } from './finish';
import { fieldsOf, findOptions } from './read-commands';
import { pipelineSearch } from './pipeline-search';

/** Which plan a command would take, and, unless only the plan is wanted, how much it looks at. */
export async function explainCommand(command: Command): Promise<Doc> {
  const inner = docField(command.body, 'explain');
  if (!inner) throw new CommandError('FailedToParse', "BSON field 'explain.explain' is missing but a required field");
  const name = Object.keys(inner)[0]!;
  checkCommand(canonicalName(name), inner);
  const target = inner[name];
  if (typeof target !== 'string')
    throw new CommandError('FailedToParse', `explain of ${name} is not supported by this server`);
  const collection = command.engine.collection(command.db, target);
  const namespace = namespaceOf(command.db, target);
  const options = await searchOf(command, name, inner, target);
  const queryPlanner: Doc = { namespace, parsedQuery: options.filter, rejectedPlans: [] };
  if (!collection) {
    const winningPlan: Doc = { stage: 'EOF' };
    return { queryPlanner: { ...queryPlanner, winningPlan }, executionStats: stats(0, 0, 0, 0) };
  }
  const started = performance.now();
  const { plan, examined, stream } = find(command.engine.store, collection, options);
  queryPlanner.winningPlan = isCovered(plan, options.fields)
    ? { stage: 'PROJECTION_COVERED', inputStage: describeIndexScan(plan) }
    : describePlan(plan);
  if (command.body.verbosity === 'queryPlanner') return { queryPlanner };
  let returned = 0;
  await finish(command, stream, () => returned++);
  return {
    queryPlanner,
    executionStats: stats(returned, examined.keys, examined.docs, Math.round(performance.now() - started)),
  };
}

const stats = (nReturned: number, keys: number, docs: number, millis: number): Doc => ({
  executionSuccess: true,
  nReturned,
  executionTimeMillis: millis,
  totalKeysExamined: keys,
  totalDocsExamined: docs,
});

async function searchOf(command: Command, name: string, inner: Doc, target: string): Promise<FindOptions> {
  const collection = command.engine.collection(command.db, target);
  switch (name) {
    case 'find':
      return { ...findOptions(inner, collection, 'filter'), fields: fieldsOf(inner) };
    case 'count':
    case 'distinct':
      return findOptions(inner, collection, 'query');
    case 'aggregate':
      return pipelineSearch({ ...command, body: inner, name }, collection);
    case 'update':
    case 'delete': {
      const [first] = inner[`${name}s`] as Doc[];
      const q = first?.q;
      return findOptions(
        { query: isDoc(q) ? q : {}, ...(first?.hint !== undefined && { hint: first.hint }) },
        collection,
        'query',
      );
    }
    case 'findAndModify':
      return { ...findOptions(inner, collection, 'query'), limit: 1 };
    default:
      throw new CommandError('CommandNotFound', `explain failed due to unknown command: ${name}`);
  }
}

function describePlan(plan: Plan): Doc {
  if (plan.kind === 'collection') {
    const scan: Doc = { stage: 'COLLSCAN', direction: plan.reverse ? 'backward' : 'forward' };
    return plan.sorted ? scan : { stage: 'SORT', inputStage: scan };
  }
  if (plan.kind === 'or') {
    return { stage: 'FETCH', inputStage: { stage: 'OR', inputStages: plan.branches.map(describeIndexScan) } };
  }
  const fetch: Doc = { stage: 'FETCH', inputStage: describeIndexScan(plan) };
  return plan.sorted ? fetch : { stage: 'SORT', inputStage: fetch };
}

const describeIndexScan = ({ index, reverse, ranges }: Extract<Plan, { kind: 'index' }>): Doc => ({
  stage: 'IXSCAN',
  keyPattern: index.key,
  indexName: index.name,
  isMultiKey: index.multikey,
  isUnique: index.unique,
  isSparse: index.sparse,
  isPartial: index.partial !== undefined,
  direction: reverse ? 'backward' : 'forward',
  ranges: ranges.length,
});
