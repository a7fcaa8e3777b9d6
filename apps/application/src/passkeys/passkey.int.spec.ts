import { Role } from '@invoicing/contracts/invoicing/application/v1/users';
import { freePort } from '@invoicing/events';
import { launchOptions, waitFor } from '@invoicing/testing';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { hashOf } from '../secret-token';
import { startApplicationRig, type ApplicationRig } from '../testing/application-rig';
import type { Visitor } from '../testing/visitor';

// A real browser with an authenticator of its own (CDP WebAuthn), and what it sends taken apart.

jest.setTimeout(120_000);

const EMAIL = 'maan@example.nl';

let rig: ApplicationRig;
let browser: Browser;
let url: string;
let organizationId: string;

beforeAll(async () => {
  const httpPort = await freePort();
  // A passkey belongs to a name: an address has none.
  url = `http://localhost:${httpPort}`;
  [rig, browser] = await Promise.all([
    startApplicationRig({ httpPort, publicUrl: url }),
    chromium.launch(launchOptions()),
  ]);
  organizationId = rig.organization();
});
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});

interface Device {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** A browser with a device in it that has a finger on it, of somebody who is signed in or not. */
async function device(visitor?: Visitor): Promise<Device> {
  const context = await browser.newContext({ locale: 'en-GB' });
  if (visitor) await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { page, cdp, authenticatorId };
}

const press = ({ page }: Device, name: string) => page.getByRole('button', { name, exact: true }).click();
const passkeys = () => rig.database.collection('passkeys').find().toArray();

/** What the browser sends to an address, instead of letting it go there. */
async function held(
  from: Device,
  path: string,
  act: () => Promise<unknown>,
): Promise<{ body: string; cookie: string }> {
  let found: { body: string; cookie: string } | undefined;
  await from.page.route(`**${path}`, async (route) => {
    const cookie = (await route.request().allHeaders())['cookie'] ?? '';
    found = { body: route.request().postData() ?? '', cookie };
    await route.abort();
  });
  await act();
  const sent = await waitFor(() => found);
  await from.page.unroute(`**${path}`);
  return sent;
}

const send = (path: string, { body, cookie }: { body: string; cookie: string }) =>
  fetch(`${url}${path}`, {
    ...{ method: 'POST', redirect: 'manual', body },
    headers: { origin: url, cookie, 'content-type': 'application/x-www-form-urlencoded' },
  });

test('made on a device, signs in on it, is listed, and taken away', async () => {
  const owner = await device(await rig.member(organizationId, Role.OWNER, EMAIL));
  await owner.page.goto(`${url}/app/account`);
  await press(owner, 'Make a passkey on this device');
  await owner.page.waitForURL(/account\?done=yes/);
  expect(await owner.page.locator('main').textContent()).toContain('Linux');
  const [stored] = await passkeys();
  const { credentials } = await owner.cdp.send('WebAuthn.getCredentials', owner);
  expect(credentials).toHaveLength(1);
  expect(credentials[0]).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });
  // The private half never leaves the device.
  expect(JSON.stringify(stored)).not.toContain(credentials[0]!.privateKey);

  await owner.page.context().clearCookies();
  await owner.page.goto(`${url}/app/sign-in`);
  await press(owner, 'Sign in by a passkey');
  await owner.page.waitForURL(new RegExp(`/app/${organizationId}$`));
  expect(await owner.page.locator('header').textContent()).toContain(EMAIL);
  expect((await passkeys())[0]).toMatchObject({ lastUsedAt: expect.any(Date) });

  await owner.page.goto(`${url}/app/account`);
  await press(owner, 'Take away');
  await owner.page.waitForURL(/done=yes/);
  expect(await passkeys()).toEqual([]);
  await owner.page.context().clearCookies();
  await owner.page.goto(`${url}/app/sign-in`);
  await press(owner, 'Sign in by a passkey');
  await waitFor(async () => (await owner.page.locator('h1').textContent()) === 'This passkey does not work here');
});

test('an answer signs in once, in the browser that was asked, and not when it was changed', async () => {
  const owner = await device(await rig.member(organizationId, Role.OWNER, EMAIL));
  await owner.page.goto(`${url}/app/account`);
  await press(owner, 'Make a passkey on this device');
  await owner.page.waitForURL(/account\?done=yes/);
  await owner.page.context().clearCookies();
  const ask = async () => {
    await owner.page.goto(`${url}/app/sign-in`);
    return held(owner, '/app/passkey/sign-in', () => press(owner, 'Sign in by a passkey'));
  };
  const first = await ask();
  const second = await ask();
  expect((await send('/app/passkey/sign-in', { ...first, cookie: '' })).status).toBe(403);
  expect((await send('/app/passkey/sign-in', { ...first, cookie: second.cookie })).status).toBe(403);
  expect((await send('/app/passkey/sign-in', first)).status).toBe(303);
  // Used up by itself, also where a device does not count how often it was used.
  const [, token = ''] = /challenge=([^;]+)/.exec(first.cookie) ?? [];
  expect(await rig.database.collection('challenges').countDocuments({ _id: hashOf(token) as never })).toBe(0);
  expect((await send('/app/passkey/sign-in', first)).status).toBe(403);

  const third = await ask();
  const answer = JSON.parse(new URLSearchParams(third.body).get('response')!) as { response: Record<string, string> };
  const signature = Buffer.from(answer.response['signature']!, 'base64url');
  signature[signature.length - 1]! ^= 1;
  const forged = { ...answer, response: { ...answer.response, signature: signature.toString('base64url') } };
  const body = new URLSearchParams({ response: JSON.stringify(forged) }).toString();
  expect((await send('/app/passkey/sign-in', { ...third, body })).status).toBe(403);
  for (const nonsense of ['', 'null', '[]', '{"id":1}', '{"id":{"$ne":null}}', 'x'.repeat(1000)]) {
    const asked = await ask();
    const sent = { ...asked, body: new URLSearchParams({ response: nonsense }).toString() };
    expect([nonsense, (await send('/app/passkey/sign-in', sent)).status]).toEqual([nonsense, 403]);
  }
});

test('a passkey is added for whoever was asked, and for nobody else', async () => {
  const owner = await device(await rig.member(organizationId, Role.OWNER, 'first@example.nl'));
  const other = await rig.member(organizationId, Role.OWNER, 'second@example.nl');
  await owner.page.goto(`${url}/app/account`);
  const before = (await passkeys()).length;
  const sent = await held(owner, '/app/account/passkeys', () => press(owner, 'Make a passkey on this device'));
  // The challenge of one person's browser, in the session of another.
  const [, challenge = ''] = /challenge=([^;]+)/.exec(sent.cookie) ?? [];
  other.cookies.set('challenge', challenge);
  const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect((await send('/app/account/passkeys', { ...sent, cookie })).status).toBe(403);
  expect(await passkeys()).toHaveLength(before);
});
