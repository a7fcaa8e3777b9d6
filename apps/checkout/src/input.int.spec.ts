import { randomUUID } from 'node:crypto';
import { Mode } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { CheckoutsService, ProvidersService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { type AppError } from '@invoicing/errors';
import { openChannel } from '@invoicing/rpc';
import { testCall, testIdentity } from '@invoicing/testing';
import { line, startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { DETAILS, formOf, get, post } from './testing/payer';

let rig: CheckoutRig;
beforeAll(async () => {
  rig = await startCheckoutRig();
});
afterAll(() => rig?.close());

const violations = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error: AppError) => (error.details ?? []).map(({ path }) => path).sort(),
  );

describe('creating a session', () => {
  test('everything that is wrong is told at once, lines included', async () => {
    const organizationId = await rig.organization();
    const wrong = rig.create(organizationId, {
      title: '',
      lines: [
        { ...line('a', 1), unitPriceCents: undefined },
        { ...line('b', 1), productId: randomUUID() },
      ],
      redirectUrl: 'http://shop.example',
      methods: ['ideal', '{"$gt": ""}'],
      expiresInHours: 0,
      profileId: randomUUID(),
    });
    expect(await violations(wrong)).toEqual(
      [
        '/expiresInHours',
        '/lines/0/unitPriceCents',
        '/lines/1/productId',
        '/methods/1',
        '/profileId',
        '/redirectUrl',
        '/title',
      ].sort(),
    );
  });

  test('what is known of the payer goes by the rules of a customer', async () => {
    const organizationId = await rig.organization();
    const customer = { email: 'a..b@example.nl', countryCode: 'EU', btwId: 'NL1', kvkNumber: 'any form' };
    expect(await violations(rig.create(organizationId, { customer }))).toEqual([
      '/customer/btwId',
      '/customer/countryCode',
      '/customer/email',
    ]);
  });

  test('what adds up to nothing cannot be paid', async () => {
    const organizationId = await rig.organization();
    expect(await violations(rig.create(organizationId, { lines: [line('a', 100), line('b', -100)] }))).toEqual([
      '/lines',
    ]);
    expect(await violations(rig.create(organizationId, { lines: [] }))).toEqual(['/lines']);
    const lines = Array.from({ length: 101 }, () => line('a', 1));
    expect(await violations(rig.create(organizationId, { lines, title: '' }))).toEqual(['/lines', '/title']);
  });

  test('a session of another organisation looks like none', async () => {
    const made = await rig.create(await rig.organization());
    const other = await rig.organization();
    const call = rig.checkouts.getCheckout({ organizationId: other, checkoutId: made.id }, testCall());
    await expect(call).rejects.toMatchObject({ kind: 'absent' });
    expect((await rig.checkouts.listCheckouts({ organizationId: other, limit: 0 }, testCall())).checkouts).toEqual([]);
  });

  test('the list is newest first, 100 at most, by profile when asked', async () => {
    const organizationId = await rig.organization();
    const profileId = rig.billing.organizations.get(organizationId)!.profiles[0]!.id;
    const titles = Array.from({ length: 103 }, (_, index) => `T${index}`);
    for (const [index, title] of titles.entries())
      await rig.create(organizationId, { title, ...(index === 50 && { profileId }) });
    const list = async (wanted: { limit: number; profileId?: string }) =>
      (await rig.checkouts.listCheckouts({ organizationId, ...wanted }, testCall())).checkouts.map(
        ({ title }) => title,
      );
    expect(await list({ limit: 0 })).toEqual(titles.slice(3).reverse());
    expect(await list({ limit: 2 })).toEqual(['T102', 'T101']);
    expect(await list({ limit: 0, profileId })).toEqual(['T50']);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await rig.checkouts.listCheckouts({ organizationId, limit: 40, cursor }, testCall());
      seen.push(...page.checkouts.map(({ title }) => title));
      cursor = page.cursor;
    } while (cursor);
    expect(seen).toEqual(titles.toReversed());
  });

  test('an operation id of another organisation is a conflict', async () => {
    const call = testCall({ operationId: randomUUID() });
    const request = { title: 'T', lines: [line('a', 100)], customer: undefined, methods: [] };
    await rig.checkouts.createCheckout({ ...request, organizationId: await rig.organization() }, call);
    const again = rig.checkouts.createCheckout({ ...request, organizationId: await rig.organization() }, call);
    await expect(again).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('the page', () => {
  test('html in a title is text', async () => {
    const made = await rig.create(await rig.organization(), {
      title: '<script>alert(1)</script>"\'&',
      lines: [line('<img src=x onerror=alert(1)>', 100)],
      customer: { name: '"><script>alert(2)</script>', city: '"onfocus="alert(3)' },
    });
    const { html } = await get(made.url);
    expect(html).not.toMatch(/<script>alert|<img src=x|"onfocus="/);
    expect(html).toContain('&lt;script&gt;alert(1)');
  });

  test('is private, strict and never kept', async () => {
    const made = await rig.create(await rig.organization());
    const { headers } = await fetch(made.url);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self' ${rig.url}; base-uri 'none'; frame-ancestors 'none'`,
    });
    expect(made.url.split('/').at(-1)!.length).toBeGreaterThanOrEqual(22);
  });

  test('speaks the language of the payer', async () => {
    const { url } = await rig.create(await rig.organization());
    const language = async (accept: string, query = '') =>
      /<html lang="(\w+)"/.exec((await get(url + query, { 'accept-language': accept })).html)?.[1];
    expect(await language('nl-NL,nl;q=0.9,en;q=0.8')).toBe('nl');
    expect(await language('en-GB,nl;q=0.5')).toBe('en');
    expect(await language('de-DE,de;q=0.9')).toBe('de');
    expect(await language('es,fr;q=0.9,en;q=0.8')).toBe('fr');
    expect(await language('ja')).toBe('en');
    expect(await language('*')).toBe('nl');
    expect(await language('nl', '?lang=en')).toBe('en');
    expect(await language('en', '?lang=xx')).toBe('en');
  });

  test('a token that is not one of ours is a page that does not exist', async () => {
    const made = await rig.create(await rig.organization());
    const token = made.url.split('/').at(-1)!;
    for (const wrong of [
      `${token}x`,
      token.slice(1),
      'x',
      encodeURIComponent('{"$ne":1}'),
      `i/${token}`,
      'assets/nope.js',
    ])
      expect([wrong, (await get(`${rig.url}/c/${wrong}`)).status]).toEqual([wrong, 404]);
    expect((await get(`${rig.url}/c/${token.slice(1)}/status`)).status).toBe(404);
  });

  test('only what is both offered and enabled can be chosen', async () => {
    const made = await rig.create(await rig.organization(), { methods: ['creditcard', 'klarna'] });
    const { html } = await get(made.url);
    expect([...html.matchAll(/name="method" value="(\w+)"/g)].map(([, id]) => id)).toEqual(['creditcard']);
    for (const method of ['ideal', 'klarna', '__proto__', '']) {
      const refused = await post(made.url, { form: formOf(html), method, ...DETAILS });
      expect([method, refused.status]).toEqual([method, 422]);
    }
    const connection = await rig.database();
    expect(await connection.collection('sessions').findOne({ _id: made.id as never })).toMatchObject({ attempts: [] });
  });

  test('nothing offered that is enabled, and nothing connected, is said', async () => {
    const later = await rig.create(await rig.organization());
    const connection = await rig.database();
    await connection.collection('sessions').updateOne({ _id: later.id as never }, { $set: { methods: ['klarna'] } });
    expect((await get(later.url)).html).toContain('No payment method available');
    const organizationId = await rig.organization();
    const unconnected = await rig.create(organizationId);
    await rig.disconnect(organizationId);
    expect((await get(unconnected.url)).html).toContain('Online payment is not possible yet');
    expect((await post(unconnected.url, { method: 'ideal', ...DETAILS })).html).toContain('not possible yet');
  });

  test('a checkout that nobody could pay is refused when it is made, and says what to do', async () => {
    expect(await violations(rig.create(await rig.organization(null)))).toEqual(['']);
    expect(await violations(rig.create(await rig.organization(), { methods: ['klarna', 'sofort'] }))).toEqual([
      '/methods',
    ]);
    // One that is offered is enough.
    expect(await rig.create(await rig.organization(), { methods: ['klarna', 'ideal'] })).toMatchObject({
      url: expect.any(String),
    });
  });

  test('a body that is too large or odd is refused', async () => {
    const made = await rig.create(await rig.organization());
    expect((await post(made.url, { name: 'x'.repeat(40_000) })).status).toBe(413);
    const odd = await fetch(made.url, {
      method: 'POST',
      body: '{"method":{"$ne":1}}',
      headers: { 'content-type': 'application/json' },
    });
    expect(odd.status).toBe(422);
  });
});

describe('providers', () => {
  test('the sandbox is for test organisations', async () => {
    const { id } = rig.billing.addOrganization(Mode.LIVE);
    const connecting = rig.providers.connectProvider({ organizationId: id, provider: 'sandbox' }, testCall());
    await expect(connecting).rejects.toMatchObject({ kind: 'blocked' });
    expect((await rig.providers.listProviders({ organizationId: id }, testCall())).accounts).toEqual([]);
  });

  test('the newest account replaces the one before, and no key is shown', async () => {
    const organizationId = await rig.organization();
    const wanted = { organizationId, provider: 'mollie', apiKey: 'test_abcdefghijkl' };
    const call = testCall({ operationId: randomUUID() });
    const made = await rig.providers.connectProvider(wanted, call);
    expect(await rig.providers.connectProvider(wanted, call)).toEqual(made);
    const { accounts } = await rig.providers.listProviders({ organizationId }, testCall());
    expect(accounts).toEqual([made]);
    expect(JSON.stringify(accounts)).not.toContain('test_');
  });

  test.each([
    [{ provider: 'cash' }, ['/provider']],
    [{ provider: '__proto__' }, ['/provider']],
    [{ provider: 'mollie' }, ['/apiKey']],
    [{ provider: 'mollie', apiKey: 'x', baseUrl: 'ftp://x' }, ['/apiKey', '/baseUrl']],
    [{ provider: 'sandbox', apiKey: 'test_abcdefgh' }, ['/apiKey']],
    // The sandbox has no other address: nothing of ours is sent to one.
    [{ provider: 'sandbox', baseUrl: 'https://collector.example' }, ['/baseUrl']],
    // A provider's address is a public one, or this machine where the operator allows it.
    [{ provider: 'mollie', apiKey: 'test_abcdefgh', baseUrl: 'http://10.0.0.8' }, ['/baseUrl']],
    [{ provider: 'mollie', apiKey: 'test_abcdefgh', baseUrl: 'https://192.168.1.8' }, ['/baseUrl']],
    [{ provider: 'mollie', apiKey: 'test_abcdefgh', baseUrl: 'https://169.254.169.254' }, ['/baseUrl']],
    // A test organisation takes no real money.
    [{ provider: 'mollie', apiKey: 'live_abcdefgh' }, ['/apiKey']],
  ])('%j is refused', async (settings, paths) => {
    const organizationId = await rig.organization(null);
    expect(await violations(rig.providers.connectProvider({ organizationId, ...settings }, testCall()))).toEqual(paths);
  });

  test('a live organisation connects live keys only, and a key of its own mode connects', async () => {
    const { id: organizationId } = rig.billing.addOrganization(Mode.LIVE);
    const connect = (apiKey: string) =>
      rig.providers.connectProvider({ organizationId, provider: 'mollie', apiKey }, testCall());
    expect(await violations(connect('test_abcdefgh'))).toEqual(['/apiKey']);
    expect(await connect('live_abcdefgh')).toMatchObject({ organizationId, provider: 'mollie' });
  });

  test('an account of the other mode, connected before modes were compared, starts no payment', async () => {
    const connection = await rig.database();
    const organizationOf = async (mode: Mode): Promise<string> => {
      const { id: organizationId } = rig.billing.addOrganization(mode);
      const account = { organizationId, provider: 'sandbox', sealedKey: null, baseUrl: null, connectedAt: new Date() };
      await connection.collection<{ _id: string }>('provider_accounts').insertOne({ _id: randomUUID(), ...account });
      return organizationId;
    };
    const test = await organizationOf(Mode.TEST);
    const live = await organizationOf(Mode.LIVE);
    const pages = await Promise.all([test, live].map(async (id) => (await get((await rig.create(id)).url)).html));
    expect(pages.map((html) => html.includes('value="ideal"'))).toEqual([true, false]);
    const options = (organizationId: string) =>
      rig.checkouts.getInvoicePaymentOptions({ organizationId, publicToken: 'x'.repeat(30) }, testCall());
    expect([(await options(test)).available, (await options(live)).available]).toEqual([true, false]);

    const { url } = await rig.create(live);
    await post(url, { form: randomUUID(), ...DETAILS, method: 'ideal' });
    const stored = await connection.collection('sessions').findOne({ organizationId: live, attempts: { $ne: [] } });
    expect(stored).toBeNull();
  });

  test('only operators connect', async () => {
    const channel = openChannel(`127.0.0.1:${rig.config.port}`, testIdentity('gateway'));
    const call = channel
      .client(ProvidersService)
      .connectProvider({ organizationId: randomUUID(), provider: 'sandbox' }, testCall());
    await expect(call).rejects.toMatchObject({ kind: 'forbidden' });
    channel.close();
  });

  test('strangers are told nothing', async () => {
    const channel = openChannel(`127.0.0.1:${rig.config.port}`, { token: 'guess', tokenHashes: new Map() });
    const call = channel.client(CheckoutsService).listCheckouts({ organizationId: randomUUID(), limit: 0 }, testCall());
    await expect(call).rejects.toMatchObject({ kind: 'unauthenticated' });
    channel.close();
  });
});
