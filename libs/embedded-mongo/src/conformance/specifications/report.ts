import { knownFailures } from './known-failures';
import { type Verdict } from './test-file';

/** What became of the cases, as lines: how many, which failed and why, and why how many were skipped. */
export function report(verdicts: readonly Verdict[], embedded: boolean): string[] {
  const of = (result: Verdict['result']): Verdict[] => verdicts.filter((each) => each.result === result);
  const [passed, failed, skipped] = [of('passed'), of('failed'), of('skipped')];
  const reasons = new Map<string, number>();
  for (const { reason = '' } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [
    `specification tests: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`,
    ...failed.map(
      ({ suite, name, reason }) => `  failed ${suite}/${name}: ${whyListed(suite, name, embedded) ?? reason}`,
    ),
    ...[...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `  skipped ${count}: ${reason}`),
  ];
}

const whyListed = (suite: string, name: string, embedded: boolean): string | undefined =>
  embedded ? knownFailures[`${suite}/${name}`] : undefined;
