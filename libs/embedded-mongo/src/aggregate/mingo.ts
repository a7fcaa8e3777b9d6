type Operator = (doc: object, operand: unknown, options: unknown) => unknown;

interface Mingo {
  operators: Record<string, Operator>;
  options: unknown;
  aggregate: ((docs: object[], pipeline: object[]) => object[]) | undefined;
}

let operators: Pick<Mingo, 'operators' | 'options'> | undefined;
let aggregate: Mingo['aggregate'];

/** Thrown when something of mingo is compiled before it is loaded; whoever can wait loads it and tries again. */
export class MingoNeeded extends Error {
  constructor(readonly load: () => Promise<void>) {
    super('mingo is not loaded yet');
  }
}

/** Loaded on first use: most processes never need it, and it is 11 MB. */
async function loadOperators(): Promise<void> {
  const [all, { Context }] = await Promise.all([
    import('mingo/operators/expression') as unknown as Promise<Record<string, Operator>>,
    import('mingo/core'),
  ]);
  const context = Context.init({ expression: { $literal: all.$literal as never } });
  operators = { operators: all, options: { context, failOnError: true, useStrictMode: true } };
}

/** An expression operator of mingo. Throws MingoNeeded until mingo is loaded. */
export function mingoOperator(name: string): { compute: Operator; options: unknown } {
  if (!operators) throw new MingoNeeded(loadOperators);
  return { compute: operators.operators[name]!, options: operators.options };
}

async function loadAggregate(): Promise<void> {
  const mingo = await import('mingo');
  aggregate = mingo.aggregate as unknown as Mingo['aggregate'];
}

/** Runs one stage by mingo. Throws MingoNeeded until mingo is loaded. */
export function mingoAggregate(): (docs: unknown[], stage: object) => unknown[] {
  if (!aggregate) throw new MingoNeeded(loadAggregate);
  const run = aggregate;
  return (docs, stage) => run(docs as object[], [stage]);
}
