// `node deploy/grafana/make-dashboard.mjs > deploy/grafana/dashboard.json`: the dashboard from one row a panel, to be read and changed here.
const rate = (metric, by, filter = '') => `sum by (${by}) (rate(${metric}${filter}[$__rate_interval]))`;
const quantile = (q, metric, by, filter = '') =>
  `histogram_quantile(${q}, ${rate(`${metric}_bucket`, ['le', ...by].join(', '), filter)})`;
const gateway = '{service="gateway"}';

const rows = [
  [
    'The API',
    ['Requests per second', 'reqps', [rate('http_server_duration_seconds_count', 'route', gateway), '{{route}}']],
    ['Answers by status', 'reqps', [rate('http_server_duration_seconds_count', 'status', gateway), '{{status}}']],
    [
      'Latency',
      's',
      [quantile(0.5, 'http_server_duration_seconds', [], gateway), 'half within'],
      [quantile(0.99, 'http_server_duration_seconds', [], gateway), '99 % within'],
    ],
  ],
  [
    'Between the services',
    [
      'Calls per second',
      'reqps',
      [rate('rpc_server_duration_seconds_count', 'service, method'), '{{service}} {{method}}'],
    ],
    [
      'Calls that failed',
      'reqps',
      [rate('rpc_server_duration_seconds_count', 'method, code', '{code!="ok"}'), '{{method}} {{code}}'],
    ],
    ['Latency, 99 % within', 's', [quantile(0.99, 'rpc_server_duration_seconds', ['method']), '{{method}}']],
  ],
  [
    'Events, e-mail, webhooks',
    ['Oldest event not settled', 's', ['max by (source) (outbox_oldest_pending_seconds)', '{{source}}']],
    ['From event to settlement, 99 % within', 's', [quantile(0.99, 'event_lag_seconds', ['type']), '{{type}}']],
    ['Webhook attempts per second', 'ops', [rate('webhook_attempts_total', 'outcome'), '{{outcome}}']],
    [
      'From event to webhook',
      's',
      [quantile(0.5, 'webhook_delivery_lag_seconds', []), 'half within'],
      [quantile(0.99, 'webhook_delivery_lag_seconds', []), '99 % within'],
    ],
  ],
  [
    'Numbers and payments',
    ['Invoices numbered per second', 'ops', ['sum(rate(numbering_batch_size_sum[$__rate_interval]))', 'invoices']],
    [
      'Invoices sharing one insert',
      'short',
      [
        'sum(rate(numbering_batch_size_sum[$__rate_interval])) / sum(rate(numbering_batch_size_count[$__rate_interval]))',
        'mean',
      ],
    ],
    [
      'What happened to checkouts',
      'short',
      ['sum by (report) (increase(checkout_reports_total[$__rate_interval]))', '{{report}}'],
    ],
  ],
  [
    'Processes',
    [
      'Event loop delay, 99 % within',
      's',
      ['nodejs_eventloop_lag_p99_seconds{job="invoicing"}', '{{service}} {{instance}}'],
    ],
    ['Resident memory', 'bytes', ['process_resident_memory_bytes{job="invoicing"}', '{{service}} {{instance}}']],
    [
      'CPU',
      'percentunit',
      ['rate(process_cpu_seconds_total{job="invoicing"}[$__rate_interval])', '{{service}} {{instance}}'],
    ],
  ],
];

const datasource = { type: 'prometheus', uid: '${datasource}' };
const COLUMNS = 24;
const HEIGHT = 8;
let id = 0;
let y = 0;
const panels = rows.flatMap(([title, ...row]) => {
  const header = {
    id: ++id,
    type: 'row',
    title,
    collapsed: false,
    panels: [],
    gridPos: { x: 0, y: y++, w: COLUMNS, h: 1 },
  };
  const w = COLUMNS / row.length;
  const made = row.map(([name, unit, ...queries], index) => ({
    id: ++id,
    type: 'timeseries',
    title: name,
    datasource,
    gridPos: { x: index * w, y, w, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(([expr, legendFormat], place) => ({
      refId: String.fromCharCode(65 + place),
      datasource,
      expr,
      legendFormat,
    })),
  }));
  y += HEIGHT;
  return [header, ...made];
});

console.log(
  JSON.stringify(
    {
      uid: 'invoicing',
      title: 'Invoicing',
      tags: ['invoicing'],
      schemaVersion: 39,
      refresh: '30s',
      time: { from: 'now-3h', to: 'now' },
      templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
      panels,
    },
    null,
    2,
  ),
);
