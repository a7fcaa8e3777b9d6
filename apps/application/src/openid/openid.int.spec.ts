import { randomUUID } from 'node:crypto';
import { Role } from '@invoicing/contracts/invoicing/application/v1/users';
import { testCall } from '@invoicing/testing';
import { startApplicationRig, type ApplicationRig } from '../testing/application-rig';
import { startOpenidImitation } from '../testing/openid-imitation';
import type { Visitor } from '../testing/visitor';
import { openidProviders } from './openid-provider';

// A company's own sign-in: a provider on this machine that tells the truth, or lies, over HTTP.

jest.setTimeout(120_000);

const CLIENT = { clientId: 'invoicing', clientSecret: 'between-us' };

let provider: Awaited<ReturnType<typeof startOpenidImitation>>;
let rig: ApplicationRig;
let organizationId: string;
let joined: string;

beforeAll(async () => {
  provider = await startOpenidImitation(CLIENT.clientId, CLIENT.clientSecret);
  joined = randomUUID();
  const acme = { id: 'acme', name: 'Acme', issuer: provider.issuer, ...CLIENT, domains: ['ACME.example'] };
  const works = {
    ...acme,
    id: 'works',
    name: 'Works',
    domains: ['works.example'],
    organizationId: joined,
    role: 'sales',
  };
  const gone = { ...acme, id: 'gone', name: 'Gone', issuer: 'http://127.0.0.1:1' };
  rig = await startApplicationRig({ openidProviders: openidProviders(JSON.stringify([acme, works, gone])) });
  rig.peers.organizations.set(joined, 'Works');
  organizationId = rig.organization();
});
afterAll(async () => {
  await rig?.close();
  await provider?.close();
});
beforeEach(() => {
  for (const name of ['nonce', 'audience', 'issuer', 'isForged', 'status'] as const) delete provider.said[name];
  Object.assign(provider.said, { subject: randomUUID(), email: `${randomUUID()}@acme.example`, verified: true });
});

const invited = (email: string) => rig.users.inviteUser({ organizationId, email, role: Role.VIEWER }, testCall());

/** To the provider and back, as far as the address that the browser comes back to. */
async function asked(browser: Visitor, id = 'acme'): Promise<string> {
  const there = await browser.get(`/app/openid/${id}`);
  expect(there.status).toBe(303);
  const back = await fetch(there.location!, { redirect: 'manual' });
  const url = new URL(back.headers.get('location')!);
  return `${url.pathname}${url.search}`;
}

async function signIn(browser = rig.visitor(), id = 'acme') {
  const answer = await browser.get(await asked(browser, id));
  return { ...answer, isIn: answer.location === '/app' && browser.cookies.has('session') };
}

test('the page where one signs in names the companies; a name that is none does not exist', async () => {
  const { text } = await rig.visitor().get('/app/sign-in');
  expect(text).toContain('href="/app/openid/acme"');
  expect(text).toContain('Sign in with Acme');
  expect((await rig.visitor().get('/app/openid/other')).location).toBe('/app/sign-in');
});

test('whoever was invited is signed in, and is the same person the next time, whatever their address is then', async () => {
  const { email } = provider.said;
  await invited(email);
  const browser = rig.visitor();
  expect((await signIn(browser)).isIn).toBe(true);
  expect((await browser.get('/app/account')).text).toContain(email);
  provider.said.email = `${randomUUID()}@acme.example`;
  const later = rig.visitor();
  expect((await signIn(later)).isIn).toBe(true);
  expect((await later.get('/app/account')).text).toContain(email);
});

test('nobody gets in uninvited', async () => {
  const { status, isIn, text } = await signIn();
  expect([status, isIn]).toEqual([403, false]);
  expect(text).toContain('invite you');
});

test('an address that was given to another colleague brings nobody into the account of the one before', async () => {
  await invited(provider.said.email);
  expect((await signIn()).isIn).toBe(true);
  provider.said.subject = randomUUID();
  expect((await signIn()).isIn).toBe(false);
});

test.each([
  ['not verified', { verified: false }],
  ['not said to be verified', { verified: undefined }],
  ['of a domain that is not the company’s', { email: 'boss@other.example' }],
  ['that only ends like it', { email: 'boss@evil-acme.example' }],
  ['with two signs', { email: 'boss@other.example@acme.example' }],
])('an address %s is not believed', async (_what, lie) => {
  Object.assign(provider.said, lie);
  if (!provider.said.email.includes('@other.example@')) await invited(provider.said.email);
  const { status, isIn } = await signIn();
  expect([status, isIn]).toEqual([403, false]);
});

test.each([
  ['another nonce', { nonce: 'other' }],
  ['another audience', { audience: 'somebody-else' }],
  ['another issuer', { issuer: 'https://evil.example' }],
  ['a signature by another key', { isForged: true }],
])('a token with %s signs nobody in', async (_what, lie) => {
  await invited(provider.said.email);
  Object.assign(provider.said, lie);
  const { status, isIn } = await signIn();
  expect([status, isIn]).toEqual([403, false]);
});

test('the answer works once, in the browser that asked, with the state that it was asked with, and for no other company', async () => {
  await invited(provider.said.email);
  const browser = rig.visitor();
  const path = await asked(browser);
  expect((await rig.visitor().get(path)).status).toBe(403);
  const changed = await asked(browser);
  expect((await browser.get(changed.replace(/state=[^&]+/, 'state=other'))).status).toBe(403);
  // Another's answer, brought to a browser that asked for its own.
  const victim = rig.visitor();
  await asked(victim);
  expect((await victim.get(await asked(rig.visitor()))).status).toBe(403);
  const other = await asked(browser);
  expect((await browser.get(other.replace('/acme/', '/works/'))).status).toBe(403);
  const good = await asked(browser);
  const copy = new Map(browser.cookies);
  expect((await browser.get(good)).location).toBe('/app');
  const again = rig.visitor();
  for (const [name, value] of copy) again.cookies.set(name, value);
  expect((await again.get(good)).status).toBe(403);
});

test('a provider that is away is said to be', async () => {
  expect((await rig.visitor().get('/app/openid/gone')).status).toBe(503);
  await invited(provider.said.email);
  provider.said.status = 503;
  const { status, isIn } = await signIn();
  expect([status === 503 || status === 403, isIn]).toEqual([true, false]);
});

test('a company may let its people in: as what it says, once; who was taken out stays out', async () => {
  provider.said.email = `${randomUUID()}@works.example`;
  const browser = rig.visitor();
  expect((await signIn(browser, 'works')).isIn).toBe(true);
  expect((await browser.get(`/app/${joined}/people`)).text).toContain('sales');
  const { members } = await rig.users.listUsers({ organizationId: joined }, testCall());
  const member = members.find(({ email }) => email === provider.said.email)!;
  await rig.users.removeUser({ memberId: member.id, organizationId: joined }, testCall());
  expect((await signIn(browser, 'works')).isIn).toBe(true);
  expect((await browser.get(`/app/${joined}`)).status).toBe(404);
});

test.each([
  ['no JSON', 'x'],
  ['no domains', JSON.stringify([{ id: 'a', name: 'A', issuer: 'https://a.example', ...CLIENT }])],
  [
    'plain http',
    JSON.stringify([{ id: 'a', name: 'A', issuer: 'http://a.example', ...CLIENT, domains: ['a.example'] }]),
  ],
  [
    'an id twice',
    JSON.stringify(
      [1, 2].map(() => ({ id: 'a', name: 'A', issuer: 'https://a.example', ...CLIENT, domains: ['a.example'] })),
    ),
  ],
])('a configuration with %s is refused at start, without its secrets', (_what, text) => {
  expect(() => openidProviders(text)).toThrow(/^OPENID_PROVIDERS: (?!.*between-us)/);
});
