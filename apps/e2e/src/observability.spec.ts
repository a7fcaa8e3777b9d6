import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

// What alerts and dashboard ask for is what the code measures.

const ROOT = resolve(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Names that Prometheus and prom-client's default metrics bring. */
const DEFAULTS = /^(up|nodejs_eventloop_lag_p99_seconds|process_resident_memory_bytes|process_cpu_seconds_total)$/;
const WORDS = /^(sum|rate|increase|histogram_quantile|max|and|by|le|[a-z]+)$/;

const measured = new Set(
  execFileSync('git', ['grep', '-hoE', "name: '[a-z_]+'", '--', 'libs/*.ts', 'apps/*.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .map((line) => line.slice("name: '".length, -1)),
);

const unknownIn = (expressions: string[]): string[] =>
  expressions
    .flatMap((each) => each.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, '').match(/[a-z][a-z0-9_]*/g) ?? [])
    .filter((name) => !WORDS.test(name) && !DEFAULTS.test(name))
    .filter((name) => !measured.has(name.replace(/_(count|sum|bucket)$/, '')));

test('every alert', () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: { expr: string }[] }[] };
  const expressions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(5);
  expect(unknownIn(expressions)).toEqual([]);
});

test('every panel, and the dashboard is what its source makes', () => {
  const made = execFileSync(process.execPath, ['deploy/grafana/make-dashboard.mjs'], { cwd: ROOT, encoding: 'utf8' });
  const dashboard = JSON.parse(read('deploy/grafana/dashboard.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  expect(JSON.parse(made)).toEqual(dashboard);
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(10);
  expect(unknownIn(expressions)).toEqual([]);
});
