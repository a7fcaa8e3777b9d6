import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { tempFolder, waitFor } from '@invoicing/testing';
import { Api } from './api';
import { RunningPlatform } from './running-platform';
import { toAllShards, type ShardKeys } from './shard-targets';
import { startReceiver } from './webhook-receiver';
import { startWatchedStore, type WatchedStore } from './watched-store';

// Every operation of the API and of the command line, payers' pages and work in the background: what of it a sharded cluster would have to
// send to all shards stands in docs/scaling.md, with a reason, and nothing else.

jest.setTimeout(180_000);

interface Data<T> {
  readonly data: T;
}
interface Made {
  readonly id: string;
  readonly public_token: string;
  readonly url: string;
}

const ROOT = resolve(__dirname, '../../..');
const scaling = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');

/** Rows of the table in docs/scaling.md whose head begins with `head`, cell by cell. */
function rowsUnder(head: string): string[][] {
  const lines = scaling.slice(scaling.indexOf(`| ${head}`)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const documented = new Map(rowsUnder('Collection').map(([name = '', key = '']) => [name, key]));
const allowed = new Map(rowsUnder('Goes to all shards').map(([command = '', reason = '']) => [command, reason]));
const shardKeys: ShardKeys = new Map(
  [...documented].map(([name, key]) => [
    name,
    key === 'one shard' ? key : [...key.matchAll(/(\w+):/g)].map(([, field = '']) => field),
  ]),
);

const BOUNCE_HOOK_SECRET = 'a secret of the mail server';

const folder = tempFolder();
const storeFolder = tempFolder();
let store: WatchedStore;
let platform: RunningPlatform;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  store = await startWatchedStore(storeFolder.path);
  const env = {
    ...{ MONGODB_URI: store.uri, RATE_LIMIT_PER_MINUTE: '1000', PAGE_RATE_LIMIT_PER_MINUTE: '1000' },
    ...{ ALLOW_LOOPBACK_TARGETS: 'true', BOUNCE_HOOK_SECRET },
  };
  platform = await RunningPlatform.start({ dataDir: folder.path, env });
  receiver = await startReceiver();
});
afterAll(async () => {
  await platform?.stop();
  receiver?.close();
  await store?.close();
  folder.remove();
  storeFolder.remove();
});

test('the shard keys are those that the collections are declared with', () => {
  const declared = readdirSync(join(ROOT, 'apps'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/src\/.*\.ts$/.test(file) && !file.includes('.spec.'))
    .flatMap((file) =>
      [
        ...readFileSync(join(ROOT, 'apps', file), 'utf8').matchAll(
          /declareCollection<[^(]+>\('(\w+)', \{\s*(?:\/\/[^\n]*\s*)*shardKey: ('one shard'|\{[^}]*\})/g,
        ),
      ].map(([, name = '', key = '']) => [`${file.split('/')[0]}.${name}`, key.replace("'one shard'", 'one shard')]),
    );
  const everywhere = ['application', 'billing', 'catalog', 'checkout', 'gateway', 'notification'].map((each) => [
    `${each}.migrations`,
    'one shard',
  ]);
  // Of the version before, read by a migration; and declared once for all services, in libs/mongo.
  const before = [
    ['billing.payments', '{ organizationId: 1 }'],
    ['application.history', '{ organizationId: 1 }'],
    ['billing.history', '{ organizationId: 1 }'],
    ['catalog.history', '{ organizationId: 1 }'],
    ['checkout.history', '{ organizationId: 1 }'],
    ['notification.history', '{ organizationId: 1 }'],
  ];
  expect([...declared, ...everywhere, ...before].map((each) => each.join(' ')).sort()).toEqual(
    [...documented].map((each) => each.join(' ')).sort(),
  );
});

test('what goes to all shards is listed, and all that is listed does', async () => {
  await useEverything();
  const found = new Map<string, string>();
  for (const command of store.commands) {
    const sent = toAllShards(command, shardKeys);
    if (sent !== undefined) found.set(sent, JSON.stringify(command).slice(0, 500));
  }
  const unlisted = [...found].filter(([sent]) => !allowed.has(sent));
  expect(unlisted).toEqual([]);
  expect([...allowed.keys()].filter((sent) => !found.has(sent))).toEqual([]);
  // Reads only: what is written is written on one shard.
  expect([...found.keys()].filter((sent) => !/ (find|distinct) /.test(sent))).toEqual([]);
  for (const [sent, reason] of allowed) expect([sent, reason.length > 20]).toEqual([sent, true]);
});

/** Each operation of the API, each verb of the command line but what stops the platform, and what payers and the background do. */
async function useEverything(): Promise<void> {
  const admin = <T = Made>(...args: string[]): Promise<T> => platform.admin<T>(...args);
  const demo = await admin<{ organization: string; key: string; webhook: { id: string } }>('demo');
  const org = demo.organization;
  const api = new Api(platform.url, demo.key);
  const openApi = await api.get<{ paths: Record<string, Record<string, unknown>> }>('/api/v1/openapi');
  const reads = Object.entries(openApi.body.paths).flatMap(([path, { get }]) =>
    // A stream has no end to wait for.
    get !== undefined && !JSON.stringify(get).includes('text/event-stream') ? [path] : [],
  );
  for (const path of reads) expect([path, (await api.get(path)).status]).toEqual([path, 200]);

  const customer = (await api.post<Data<Made>>('/api/v1/customers', person('jan'))).body.data;
  const product = (await api.post<Data<Made>>('/api/v1/products', bread)).body.data;
  const lines = [{ productId: product.id, quantity: 2 }];
  const headers = { 'idempotency-key': 'sharding' };
  const invoice = { customerId: customer.id, lines, send: true };
  for (const _ of [1, 2]) await api.post('/api/v1/invoices', invoice, headers);
  const sent = (await api.post<Data<Made>>('/api/v1/invoices', invoice)).body.data;
  const drafts = [];
  for (const _ of [1, 2, 3])
    drafts.push((await api.post<Data<Made>>('/api/v1/invoices', { ...invoice, send: false })).body.data);
  const [issued, changed, deleted] = drafts as [Made, Made, Made];
  await admin('invoice', 'issue', issued.id);
  await admin('draft', 'update', changed.id, '--clear', 'note');
  await admin('invoice', 'resend', sent.id, '--to', 'boekhouding@example.nl');
  await admin('invoice', 'post', sent.id);
  await admin('mail', 'list', '--org', org, '--invoice', sent.id);
  await admin('draft', 'delete', deleted.id);
  await admin('invoice', 'credit', issued.id);
  await admin('invoice', 'show', issued.id);
  await admin('invoice', 'document', issued.id, '--out', join(folder.path, 'invoice.pdf'));

  const platformKey = await admin<{ key: string }>('key', 'create', '--platform');
  await new Api(platform.url, platformKey.key).post('/api/v1/credits', { orgId: org, credits: 2 });
  await api.post('/api/v1/subscriptions', { customerId: customer.id, freq: 'monthly', lines, autoSendPost: true });
  await admin('subscriptions', 'run');
  await admin('reminders', 'run');
  const [schedule] = await admin<Made[]>('subscriptions', 'list', '--org', org);
  await admin('subscription', 'update', schedule!.id, '--unit-price-cents', '400', '--from', '2090-01-01');
  for (const verb of ['show', 'preview', 'pause', 'resume', 'end'])
    await admin('subscriptions', verb, schedule!.id, '--org', org);
  await admin('subscription', 'list', '--org', org);
  await arrears(admin, org, api, { customerId: customer.id, freq: 'weekly', lines, autoSendEmail: true });

  await peppol(admin, org, sent);
  await throughAccessPoint(admin);
  await bounced(admin, org);
  await checkouts(admin, org, api, sent);
  await webhooks(admin, org, demo.webhook.id);
  const made = await admin<{ id: string }>('key', 'create', '--org', org, '--scopes', 'all');
  await admin('key', 'revoke', made.id);
  const two = await admin('profile', 'create', '--org', org, '--name', 'Twee', '--number-format', 'T-{YYYY}-{SEQ:4}');
  await admin('profile', 'show', two.id);
  await admin('profile', 'update', two.id, '--start-number', '100', '--footer', 'Tot ziens');
  await admin('history', '--org', org);
  for (const flags of [[], ['--org', org]])
    for (const list of ['key list', 'webhook list', 'mail list', 'letter list', 'peppol list', 'numbers verify'])
      await admin(...list.split(' '), ...flags);
  await admin('mail', 'list', '--to', 'jan@example.nl');
  await admin('org', 'show', org);
  await admin('org', 'list');
  await admin('credits', 'balance', '--org', org);
  for (const verb of ['export', 'erase']) await admin('customer', verb, customer.id);
  await admin('maintenance', 'on');
  await admin('maintenance', 'off');
  await fetch(`${platform.url}/dev/mail`);
  // Letters are sent, events settled, metrics read.
  await waitFor(async () =>
    (await admin<{ status: string }[]>('letter', 'list')).some((each) => each.status === 'sent'),
  );
}

type Admin = <T = Made>(...args: string[]) => Promise<T>;

/** An invoice that waits while its seller is in arrears, and goes out afterwards. */
async function arrears(admin: Admin, org: string, api: Api, subscription: object): Promise<void> {
  await admin('org', 'set', org, '--billing-status', 'arrears');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await admin('org', 'set', org, '--billing-status', 'active');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await api.post('/api/v1/subscriptions', subscription);
  await admin('org', 'set', org, '--billing-status', 'arrears');
  await admin('subscriptions', 'run');
  await admin('org', 'set', org, '--billing-status', 'active');
  await admin('subscriptions', 'run');
}

/** An invoice that goes over Peppol. */
async function peppol(admin: Admin, org: string, invoice: Made): Promise<void> {
  await admin('peppol', 'connect', '--org', org, '--access-point', 'sandbox');
  await admin('peppol', 'accounts', '--org', org);
  await admin('peppol', 'lookup', '--org', org, '--recipient', '0106:12345678');
  await admin('peppol', 'send', invoice.id);
  await admin('peppol', 'list', '--org', org, '--invoice', invoice.id);
}

/** An invoice that an access point is handed, which reports what became of it. */
async function throughAccessPoint(admin: Admin): Promise<void> {
  const accessPoint = await startAccessPoint();
  const { id: org } = await admin(
    ...['org', 'create', '--name', 'Brouwerij', '--mode', 'live', '--country', 'BE', '--kvk-number', '0403170701'],
    ...['--btw-id', 'BE0403170701', '--address-line1', 'Grote Markt 1', '--postal-code', '1000', '--city', 'Brussel'],
    ...['--iban', 'BE71096123456769'],
  );
  await admin(
    ...['peppol', 'connect', '--org', org, '--access-point', 'storecove', '--api-key', 'a-key-of-an-imitation'],
    ...['--legal-entity', '1', '--base-url', accessPoint.url],
  );
  const { key } = await admin<{ key: string }>('key', 'create', '--org', org, '--scopes', 'all');
  const api = new Api(platform.url, key);
  const business = { ...person('bram'), countryCode: 'BE', companyName: 'Hotel Zuid', kvkNumber: '0123456749' };
  const customer = (await api.post<Data<Made>>('/api/v1/customers', business)).body.data;
  const lines = [{ description: 'Bier', quantity: 1, unitPriceCents: 1_000 }];
  await api.post('/api/v1/invoices', { customerId: customer.id, lines, send: true });
  await waitFor(async () => {
    const sent = await admin<{ status: string }[]>('peppol', 'list', '--org', org);
    return sent.some(({ status }) => status === 'delivered');
  }, 30_000);
  accessPoint.close();
}

/** As much of Storecove's API as one document needs. */
async function startAccessPoint(): Promise<{ url: string; close: () => void }> {
  const reports: object[] = [];
  const take = ({ idempotencyGuid }: { idempotencyGuid: string }): object => {
    const event = { event_type: 'document_submission', event: 'succeeded', guid: 'submission', idempotencyGuid };
    reports.push({ guid: 'report', body: JSON.stringify(event) });
    return { guid: 'submission' };
  };
  const answers: readonly (readonly [RegExp, (body: string) => object | undefined])[] = [
    [/^GET .*legal_entities/, () => ({})],
    [/^POST .*discovery/, () => ({ code: 'OK' })],
    [/^POST .*document_submissions/, (body) => take(JSON.parse(body) as { idempotencyGuid: string })],
    [/^GET .*evidence/, () => ({ evidence: { message_id: 'message' } })],
    [/^GET .*webhook_instances/, () => reports[0]],
    [/^DELETE .*webhook_instances/, () => reports.splice(0, 1)],
  ];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const asked = [request.method, request.url].join(' ');
      const found = answers.find(([known]) => known.test(asked));
      const answer = found?.[1](body);
      response.writeHead(found ? (answer ? 200 : 204) : 404).end(answer ? JSON.stringify(answer) : '');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** An e-mail that comes back. */
async function bounced(admin: Admin, org: string): Promise<void> {
  const [mail] = await admin<Made[]>('mail', 'list', '--org', org);
  const report = [
    ...[`To: bounces+${mail!.id}@example.com`, 'Content-Type: multipart/report; boundary="b"', '', '--b'],
    ...['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.com', ''],
    ...['Final-Recipient: rfc822; jan@example.nl', 'Action: failed', 'Status: 5.1.1', '', '--b--', ''],
  ];
  const headers = { authorization: `Bearer ${BOUNCE_HOOK_SECRET}` };
  const response = await fetch(`${platform.url}/hooks/bounces`, { method: 'POST', headers, body: report.join('\r\n') });
  expect(response.status).toBe(200);
}

/** A checkout that is paid, with its sandbox's report; one that is left; and an invoice that is paid on its page. */
async function checkouts(admin: Admin, org: string, api: Api, invoice: Made): Promise<void> {
  const line = { description: 'Workshop', quantity: 1, unitPriceCents: 5_000 };
  const make = async (title: string): Promise<Made> =>
    (await api.post<Data<Made>>('/api/v1/checkouts', { title, lines: [line] })).body.data;
  const paid = await make('Paid');
  await make('Left');
  await pay(paid.url);
  await pay(`${platform.url}/c/i/${invoice.public_token}`);
  await fetch(`${platform.url}/p/${invoice.public_token}`);
  await admin('provider', 'connect', '--org', org, '--provider', 'sandbox');
  await admin('provider', 'list', '--org', org);
  await waitFor(async () => {
    const { body } = await api.get<Data<{ id: string; status: string }[]>>('/api/v1/checkouts');
    return body.data.find(({ id }) => id === paid.id)?.status === 'paid';
  });
}

/** One endpoint that answers, one that does not and is disabled while something waits for it. */
async function webhooks(admin: Admin, org: string, endpoint: string): Promise<void> {
  const dead = await admin('webhook', 'create', '--org', org, '--url', 'http://127.0.0.1:9/dead');
  await admin('webhook', 'rotate-secret', endpoint);
  for (const id of [endpoint, dead.id]) await admin('webhook', 'test', id);
  const found = await admin<Made[]>('webhook', 'deliveries', '--org', org);
  await admin('webhook', 'redeliver', found[0]!.id);
  await admin('webhook', 'deliveries', '--org', org, '--endpoint', dead.id);
  await admin('webhook', 'disable', dead.id);
  await admin('webhook', 'enable', dead.id);
}

const person = (name: string) => ({
  ...{ name, email: `${name}@example.nl`, countryCode: 'NL' },
  ...{ addressLine1: 'Kerkstraat 9', postalCode: '1017 GB', city: 'Amsterdam' },
});
const bread = { name: 'Brood', unitPriceCents: 350, vatRateBps: 900 };

async function pay(url: string): Promise<void> {
  const payer = { type: 'person', method: 'ideal', countryCode: 'NL', name: 'Kees', email: 'kees@example.nl' };
  await submit(await submit(url, payer), { outcome: 'paid' });
}

/** Sends a form as a payer's browser does; answers where it is sent on. */
async function submit(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  expect([url, response.status]).toEqual([url, 303]);
  return new URL(response.headers.get('location')!, url).href;
}
