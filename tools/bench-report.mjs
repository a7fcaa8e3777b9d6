// The figures of `npm run bench` as one page: each beside its comparator of the same run, aim and reached side by side.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** Where and of what the figures are. */
export function machine() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  return {
    commit: git('rev-parse', '--short', 'HEAD'),
    changed: git('status', '--porcelain', '--untracked-files=no') !== '',
    node: process.version,
    system: `Linux ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    loadBefore: loadavg().map((each) => Number(each.toFixed(1))),
  };
}

const number = (value) =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
const spread = ({ median, low, high }) =>
  low === high ? number(median) : `${number(median)} (${number(low)}–${number(high)})`;

function reached({ ours, beside, cpuMicros, aim }) {
  if (!aim) return ['', ''];
  const values = {
    value: () => ours.median,
    ratio: () => ours.median / beside.value.median,
    cpuMs: () => Object.values(cpuMicros).reduce((sum, each) => sum + each, 0) / 1_000,
  };
  const value = values[aim.of]();
  const within = value >= (aim.atLeast ?? -Infinity) && value <= (aim.atMost ?? Infinity);
  const wanted = aim.atLeast === undefined ? `≤ ${aim.atMost}` : `≥ ${aim.atLeast}`;
  return [
    `${aim.of === 'cpuMs' ? 'CPU ms ' : aim.of === 'ratio' ? 'ratio ' : ''}${wanted}`,
    within ? 'yes' : `no: ${number(value)}`,
  ];
}

function row(figure) {
  const { name, unit, ours, beside, cpuMicros } = figure;
  const micros = Object.entries(cpuMicros ?? {}).filter(([, each]) => each >= 0.5);
  const whole = micros.reduce((sum, [, each]) => sum + each, 0);
  const cpu =
    micros.length === 0
      ? ''
      : `${number(whole)}: ${micros
          .sort((a, b) => b[1] - a[1])
          .map(([process, each]) => `${process} ${number(each)}`)
          .join(', ')}`;
  const theirs = beside
    ? [beside.name, spread(beside.value), (ours.median / beside.value.median).toFixed(2)]
    : ['', '', ''];
  return `| ${[name, `${spread(ours)} ${unit}`, ...theirs, cpu, ...reached(figure)].join(' | ')} |`;
}

/** The report as Markdown. */
export function benchReport({ commit, changed, node, system, loadBefore, quick, parts }) {
  const head =
    '| | ours | comparator | its figure | ratio | CPU µs an operation | aim | reached |\n| --- | --- | --- | --- | --- | --- | --- | --- |';
  return (
    [
      `Commit ${commit}${changed ? ' with changes' : ''}, Node ${node}, ${system}; load when it began ${loadBefore.join(', ')}.`,
      quick
        ? 'Quick: that every part works, no figures.'
        : 'Medians of alternating rounds, lowest and highest in brackets.',
      ...parts.map(({ name, figures }) => `### ${name}\n\n${head}\n${figures.map(row).join('\n')}`),
    ].join('\n\n') + '\n'
  );
}
