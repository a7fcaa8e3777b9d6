import { performance } from 'node:perf_hooks';
import { quantile, type BenchFigure } from '@invoicing/testing';
import { RunningPlatform } from './running-platform';

const ROUNDS = Number(process.env['ROUNDS'] ?? 40);
const WARM = 5;
/** docs/application.md: half of all visits of any page are answered within this, in milliseconds. */
const P50_MS = 60;
const PAGES = [
  ...['', 'invoices', 'invoices/new', 'customers', 'customers/new', 'products', 'subscriptions', 'subscriptions/new'],
  ...[
    'checkouts',
    'checkouts/new',
    'bank',
    'bank/statements',
    'reminders',
    'reminders/plan',
    'books',
    'people',
    'keys',
  ],
  ...['webhooks', 'requests', 'history', 'settings', 'settings/organization', 'settings/provider'],
];

interface Demo {
  readonly organization: string;
  readonly links: { readonly application: string };
}

/** How long each page of the application takes through the gateway, of an organisation with a year of data, one visitor at a time. */
export async function run(): Promise<readonly BenchFigure[]> {
  const platform = await RunningPlatform.start({ env: { PAGE_RATE_LIMIT_PER_MINUTE: '100000000' } });
  try {
    const demo = await platform.admin<Demo>('demo');
    const cookie = await signedIn(platform.url, demo.links.application);
    const base = `${platform.url}/app/${demo.organization}`;
    const visit = async (path: string): Promise<string> => {
      const response = await fetch(`${base}/${path}`.replace(/\/$/, ''), { headers: { cookie } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
      return text;
    };
    const [, invoice = ''] = /invoices\/([0-9a-f-]{36})/.exec(await visit('invoices?status=paid')) ?? [];
    const [, customer = ''] = /customers\/([0-9a-f-]{36})/.exec(await visit('customers')) ?? [];
    const figures: BenchFigure[] = [];
    for (const path of [...PAGES, `invoices/${invoice}`, `customers/${customer}`])
      figures.push(await timed(path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id'), () => visit(path)));
    return figures;
  } finally {
    await platform.close();
  }
}

async function signedIn(url: string, link: string): Promise<string> {
  const response = await fetch(link, { method: 'POST', redirect: 'manual', headers: { origin: url } });
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0]!);
  return cookies.filter((each) => !each.endsWith('=')).join('; ');
}

async function timed(path: string, visit: () => Promise<unknown>): Promise<BenchFigure> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS + WARM; round++) {
    const startedAt = performance.now();
    await visit();
    if (round >= WARM) took.push(performance.now() - startedAt);
  }
  const ours = { median: quantile(took, 0.5), low: quantile(took, 0), high: quantile(took, 0.95) };
  return { name: `page /${path}`, unit: 'ms', ours, aim: { of: 'value', atMost: P50_MS } };
}
