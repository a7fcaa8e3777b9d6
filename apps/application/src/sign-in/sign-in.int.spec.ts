import { Role } from '@invoicing/contracts/invoicing/application/v1/users';
import { testCall, waitFor } from '@invoicing/testing';
import { startApplicationRig, type ApplicationRig } from '../testing/application-rig';
import type { Visitor } from '../testing/visitor';
import { MAX_ATTEMPTS, MAX_PER_CLIENT, MAX_PER_EMAIL, SIGN_IN_MS } from './sign-in-code';

let rig: ApplicationRig;
beforeAll(async () => (rig = await startApplicationRig()));
afterAll(() => rig.close());

let client = 0;
/** Everybody comes from an address of their own, as the gateway tells it. */
const from = () => ({ 'x-forwarded-for': `192.0.2.${++client}` });
let names = 0;
const newEmail = (): string => `person${++names}@example.nl`;

async function userWith(email: string, role = Role.OWNER): Promise<string> {
  const organizationId = rig.organization();
  await rig.member(organizationId, role, email);
  return organizationId;
}

/** Asks for a code and reads it in the mail. */
async function ask(visitor: Visitor, email: string): Promise<string> {
  const before = rig.peers.mails.length;
  const answer = await visitor.post('/app/sign-in', { email }, from());
  expect([answer.status, answer.location]).toEqual([303, '/app/sign-in/code']);
  return (await waitFor(() => rig.peers.mails[before])).code;
}
const enter = (visitor: Visitor, code: string) => visitor.post('/app/sign-in/code', { code });

test('a code from the mail signs in, once, and the link in it brings the code along', async () => {
  const email = newEmail();
  const organizationId = await userWith(email);
  const visitor = rig.visitor();
  const code = await ask(visitor, email.toUpperCase());
  const mail = rig.peers.mails.at(-1)!;
  expect(mail).toMatchObject({ to: email, organizationName: '', language: 'en' });
  expect(mail.url).toBe(`http://localhost:8080/app/sign-in/code?code=${code}`);
  expect((await visitor.get(`/app/sign-in/code?code=${code}`)).text).toContain(`value="${code}"`);

  const kept = new Map(visitor.cookies);
  expect(await enter(visitor, code.toLowerCase())).toMatchObject({ status: 303, location: '/app' });
  expect(await visitor.get('/app')).toMatchObject({ status: 303, location: `/app/${organizationId}` });
  const again = rig.visitor();
  for (const [name, value] of kept) again.cookies.set(name, value);
  expect((await enter(again, code)).status).toBe(400);
});

test('the code works in the browser that asked, and in no other', async () => {
  const email = newEmail();
  await userWith(email);
  const visitor = rig.visitor();
  const code = await ask(visitor, email);
  const stranger = rig.visitor();
  expect((await stranger.get(`/app/sign-in/code?code=${code}`)).text).not.toContain(code);
  expect((await enter(stranger, code)).status).toBe(403);
  // Nor in one that has asked for somebody else.
  const other = newEmail();
  await userWith(other);
  await ask(stranger, other);
  expect((await enter(stranger, code)).status).toBe(400);
  expect((await enter(visitor, code)).status).toBe(303);
});

test('five attempts, all at once or one by one, and the right code is worth nothing any more', async () => {
  const email = newEmail();
  await userWith(email);
  const visitor = rig.visitor();
  const code = await ask(visitor, email);
  await Promise.all(Array.from({ length: MAX_ATTEMPTS }, () => enter(visitor, '0000-0000')));
  expect((await enter(visitor, code)).status).toBe(400);
});

test('two presses at the same moment make one session', async () => {
  const email = newEmail();
  await userWith(email);
  const visitor = rig.visitor();
  const code = await ask(visitor, email);
  const answers = await Promise.all([1, 2, 3].map(() => enter(visitor, code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
});

test('ten minutes later the code is too old', async () => {
  const email = newEmail();
  await userWith(email);
  const visitor = rig.visitor();
  const code = await ask(visitor, email);
  const collection = rig.database.collection('sign_ins');
  const [newest] = await collection.find().sort({ createdAt: -1 }).limit(1).toArray();
  const { createdAt, expiresAt } = newest as unknown as { createdAt: Date; expiresAt: Date };
  expect(expiresAt.getTime() - createdAt.getTime()).toBe(SIGN_IN_MS);
  await collection.updateOne({ _id: newest!._id }, { $set: { expiresAt: new Date() } });
  expect((await enter(visitor, code)).status).toBe(400);
});

test('whoever asks cannot tell whether anybody has an address', async () => {
  const known = newEmail();
  await userWith(known);
  const before = rig.peers.mails.length;
  const [one, other] = await Promise.all(
    [known, newEmail()].map(async (email) => {
      const visitor = rig.visitor();
      const asked = await visitor.post('/app/sign-in', { email }, from());
      const shape = visitor.lastCookies.map((each) => each.replace(/=[^;]+/, '=').replace(/Expires=[^;]+/, ''));
      const wrong = await enter(visitor, '0000-0000');
      return { asked: [asked.status, asked.location, asked.text], shape, wrong: [wrong.status, wrong.text] };
    }),
  );
  expect(other).toEqual(one);
  await waitFor(() => rig.peers.mails.length === before + 1);
});

test('one address gets so many mails, and one client asks so often', async () => {
  const email = newEmail();
  await userWith(email);
  const before = rig.peers.mails.length;
  for (let count = 0; count < MAX_PER_EMAIL + 3; count++)
    expect((await rig.visitor().post('/app/sign-in', { email }, from())).status).toBe(303);
  const other = newEmail();
  await userWith(other);
  await ask(rig.visitor(), other);
  expect(rig.peers.mails.length - before).toBe(MAX_PER_EMAIL + 1);

  const same = from();
  const statuses = [];
  for (let count = 0; count <= MAX_PER_CLIENT; count++)
    statuses.push((await rig.visitor().post('/app/sign-in', { email: newEmail() }, same)).status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(MAX_PER_CLIENT);
  expect(statuses.at(-1)).toBe(429);
});

test('what is no address is refused beside its field', async () => {
  const answer = await rig.visitor().post('/app/sign-in', { email: 'nobody' }, from());
  expect(answer.status).toBe(400);
  expect(answer.text).toMatch(/id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-fault"/);
});

test('an invitation signs in by one press, once; opening it does nothing', async () => {
  const organizationId = rig.organization('Zon & <b>maan</b>');
  const email = newEmail();
  const { signInUrl, member } = await rig.users.inviteUser({ organizationId, email, role: Role.VIEWER }, testCall());
  const path = new URL(signInUrl).pathname;
  const visitor = rig.visitor();
  for (let count = 0; count < 3; count++)
    expect((await visitor.get(path)).text).toContain('Zon &amp; &lt;b&gt;maan&lt;/b&gt; invites you');
  expect(member!.status).toBe('invited');
  expect(await visitor.post(path)).toMatchObject({ status: 303, location: `/app/${organizationId}` });
  expect((await rig.visitor().post(path)).status).toBe(410);
  expect((await rig.visitor().get(path)).status).toBe(410);
  const { members } = await rig.users.listUsers({ organizationId }, testCall());
  expect(members).toMatchObject([{ email, role: Role.VIEWER, status: 'active' }]);
});

test('nothing that signs in lies in the store', async () => {
  const email = newEmail();
  await userWith(email);
  const visitor = rig.visitor();
  const code = await ask(visitor, email);
  const asked = [...visitor.cookies.values()];
  await enter(visitor, code);
  const secrets = [...asked, ...visitor.cookies.values(), code, code.replace('-', '')];
  const collections = await rig.database.db!.listCollections().toArray();
  for (const { name } of collections) {
    const text = JSON.stringify(await rig.database.collection(name).find().toArray());
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  }
});

test('sessions are listed, ended one by one and all at once, and a removed member is out at once', async () => {
  const email = newEmail();
  const organizationId = await userWith(email);
  const [first, second] = [rig.visitor(), rig.visitor()];
  for (const visitor of [first, second]) await enter(visitor, await ask(visitor, email));
  const page = (await first.get('/app/account')).text;
  const ids = [...page.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id!);
  expect(ids).toHaveLength(3);
  // Somebody else's session is not theirs to end.
  const stranger = await rig.member(rig.organization(), Role.OWNER);
  for (const id of ids) await stranger.post('/app/account/end-session', { session: id });
  expect((await second.get('/app/account')).status).toBe(200);

  await first.post('/app/sign-out');
  expect(await first.get('/app/account')).toMatchObject({ status: 303, location: '/app/sign-in' });
  const third = rig.visitor();
  await enter(third, await ask(third, email));
  await second.post('/app/sign-out-everywhere');
  for (const visitor of [second, third])
    expect(await visitor.get('/app/account')).toMatchObject({ status: 303, location: '/app/sign-in' });

  const guest = await rig.member(organizationId, Role.VIEWER);
  expect((await guest.get(`/app/${organizationId}/people`)).status).toBe(200);
  const { members } = await rig.users.listUsers({ organizationId }, testCall());
  const viewer = members.find(({ role }) => role === Role.VIEWER)!;
  await rig.users.removeUser({ memberId: viewer.id, organizationId: undefined }, testCall());
  expect((await guest.get(`/app/${organizationId}/people`)).status).toBe(404);
});

test('the services are asked for the person: who, where, as what', async () => {
  const organizationId = rig.organization();
  const email = newEmail();
  const member = await rig.member(organizationId, Role.SALES, email);
  rig.peers.asked.length = 0;
  await member.get(`/app/${organizationId}/people`);
  const { members } = await rig.users.listUsers({ organizationId }, testCall());
  expect(rig.peers.asked).toEqual([
    { service: 'application', organizationId, userId: members[0]!.userId, role: 'sales', label: email },
  ]);
});

test('another organisation looks as one that does not exist', async () => {
  const visitor = await rig.member(rig.organization(), Role.OWNER);
  const foreign = rig.organization();
  const [there, nowhere] = await Promise.all(
    [foreign, '00000000-0000-4000-8000-000000000000'].map((id) => visitor.get(`/app/${id}/people`)),
  );
  expect(there!.status).toBe(404);
  expect(there!.text).toBe(nowhere!.text);
});

test('a form must come from a page of ours', async () => {
  const email = newEmail();
  await userWith(email);
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: '' }]) {
    const answer = await rig.visitor().send('POST', '/app/sign-in', new URLSearchParams({ email }), headers);
    expect(answer.status).toBe(403);
  }
  expect((await rig.visitor().send('POST', '/app/sign-in', new URLSearchParams({ email }))).status).toBe(403);
  // By the name that the gateway was reached under, too.
  const here = { origin: 'http://127.0.0.1:8080', 'x-forwarded-host': '127.0.0.1:8080', ...from() };
  expect((await rig.visitor().post('/app/sign-in', { email }, here)).status).toBe(303);
});

test('cookies: not for scripts, not for other sites, and bound to the host where pages are https', async () => {
  const visitor = await rig.member(rig.organization(), Role.OWNER);
  expect([...visitor.cookies.keys()]).toEqual(['session']);
  const secure = await startApplicationRig({ publicUrl: 'https://invoicing.test' });
  const signedIn = await secure.member(secure.organization(), Role.OWNER);
  const cookie = signedIn.lastCookies.find((each) => each.startsWith('__Host-session='));
  for (const word of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookie).toContain(word);
  expect(cookie).not.toContain('Domain');
  await secure.close();
});

test('pages may do nothing but what is theirs, and assets are kept for ever', async () => {
  const page = await rig.visitor().get('/app/sign-in');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(page.headers.get('cache-control')).toBe('no-store');
  const [, css] = /href="(\/app\/assets\/[^"]+\.css)"/.exec(page.text)!;
  const style = await rig.visitor().get(css!);
  expect(style.headers.get('cache-control')).toContain('immutable');
  const [, font] = /url\('([^']+\.woff2)'\)/.exec(style.text)!;
  expect((await rig.visitor().get(`/app/assets/${font}`)).headers.get('content-type')).toBe('font/woff2');
});

test('who was invited, came in, got another role and was taken out is kept, with who did it', async () => {
  const organizationId = rig.organization();
  const owner = await rig.member(organizationId, Role.OWNER, 'an@example.nl');
  await rig.member(organizationId, Role.VIEWER, 'bo@example.nl');
  const { members } = await rig.users.listUsers({ organizationId }, testCall());
  const bo = members.find(({ email }) => email === 'bo@example.nl')!;
  await owner.post(`/app/${organizationId}/people/${bo.id}/role`, { role: 'sales' });
  await owner.post(`/app/${organizationId}/people/${bo.id}/remove`);
  const read = () => rig.database.collection('history').find({ organizationId }).sort({ revision: 1 }).toArray();
  // They are copied a moment later.
  const kept = await waitFor(async () => {
    const entries = await read();
    return entries.length === 6 && entries;
  });
  expect(kept.map(({ action, subject, by }) => [action, subject.label, by.kind, by.label])).toEqual([
    ['member.invited', 'an@example.nl', 'operator', undefined],
    ['member.joined', 'an@example.nl', 'user', 'an@example.nl'],
    ['member.invited', 'bo@example.nl', 'operator', undefined],
    ['member.joined', 'bo@example.nl', 'user', 'bo@example.nl'],
    ['member.role_changed', 'bo@example.nl', 'user', 'an@example.nl'],
    ['member.removed', 'bo@example.nl', 'user', 'an@example.nl'],
  ]);
});

describe('where an operator has opened signing up', () => {
  let open: ApplicationRig;
  beforeAll(async () => (open = await startApplicationRig({ isSignUpOpen: true })));
  afterAll(() => open.close());

  async function signUp(email: string): Promise<Visitor> {
    const visitor = open.visitor();
    const before = open.peers.mails.length;
    await visitor.post('/app/sign-in', { email }, from());
    const { to, code } = await waitFor(() => open.peers.mails[before]);
    expect(to).toBe(email);
    expect(await enter(visitor, code)).toMatchObject({ status: 303, location: '/app' });
    return visitor;
  }
  const operationIn = ({ text }: { text: string }): string => /name="operation" value="([^"]+)"/.exec(text)![1]!;

  test('an address becomes a user by its code, and creates an organisation that it owns, once', async () => {
    const email = newEmail();
    const visitor = await signUp(email);
    expect(await visitor.get('/app')).toMatchObject({ status: 303, location: '/app/new-organization' });
    const operation = operationIn(await visitor.get('/app/new-organization'));
    const refused = await visitor.post('/app/new-organization', { operation, name: '' });
    expect([refused.status, operationIn(refused)]).toEqual([400, operation]);
    const form = { operation, name: 'Bakkerij De Zon' };
    const answers = [
      await visitor.post('/app/new-organization', form),
      await visitor.post('/app/new-organization', form),
    ];
    const location = answers[0]!.location!;
    expect(answers.map((each) => [each.status, each.location])).toEqual([
      [303, location],
      [303, location],
    ]);
    expect(open.peers.signedUp).toEqual([
      { name: 'Bakkerij De Zon', principal: { service: 'application', userId: expect.any(String), label: email } },
    ]);
    expect(await visitor.get('/app')).toMatchObject({ status: 303, location });
    expect(location).not.toContain(operation);
    const [member] = (await open.users.listUsers({ organizationId: location.slice(5) }, testCall())).members;
    expect(member).toMatchObject({ email, role: Role.OWNER });
  });

  test('the operation of a form is nobody else’s way into an organisation without people', async () => {
    const organizationId = open.organization('Without people');
    const visitor = await signUp(newEmail());
    const { location } = await visitor.post('/app/new-organization', { operation: organizationId, name: 'Mine' });
    expect(location).not.toContain(organizationId);
    expect((await visitor.get(`/app/${organizationId}`)).status).toBe(404);
  });

  test('five organisations a day', async () => {
    const visitor = await signUp(newEmail());
    const statuses: number[] = [];
    for (let nth = 0; nth < 6; nth++) {
      const operation = operationIn(await visitor.get('/app/new-organization'));
      statuses.push((await visitor.post('/app/new-organization', { operation, name: `No. ${nth}` })).status);
    }
    expect(statuses).toEqual([303, 303, 303, 303, 303, 409]);
  });
});

test('where it is not open, an address that nobody has gets no mail, and there is no page to create anything', async () => {
  const visitor = rig.visitor();
  const before = rig.peers.mails.length;
  expect((await visitor.post('/app/sign-in', { email: newEmail() }, from())).location).toBe('/app/sign-in/code');
  const email = newEmail();
  await userWith(email);
  const known = rig.visitor();
  await enter(known, await ask(known, email));
  expect(rig.peers.mails.slice(before).map(({ to }) => to)).toEqual([email]);
  expect((await known.get('/app/new-organization')).status).toBe(404);
});
