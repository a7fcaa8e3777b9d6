import { randomUUID } from 'node:crypto';
import { Role } from '@invoicing/contracts/invoicing/application/v1/users';
import { mayDo, roles, type Action, type Role as RoleName } from '@invoicing/rules';
import { testIdentity } from '@invoicing/testing';
import { peerNames, type PeerName } from './config';
import type { Part } from './pages/workplace-routes';
import { parts } from './parts';
import { openPeers } from './peers-client';
import type { SignInPorts } from './sign-in/sign-in-ports';
import { startApplicationRig, type ApplicationRig } from './testing/application-rig';
import type { Visitor } from './testing/visitor';

// Every page and every form below /app/<organisation>, as everybody: driven by the application's own routes, so that a new one is walked too.

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly action: Action | undefined;
}

jest.setTimeout(120_000);

const MESSAGES: Record<RoleName, Role> = {
  owner: Role.OWNER,
  bookkeeper: Role.BOOKKEEPER,
  sales: Role.SALES,
  developer: Role.DEVELOPER,
  viewer: Role.VIEWER,
};

let rig: ApplicationRig;
let routes: readonly Route[];
let organizationId: string;

beforeAll(async () => {
  rig = await startApplicationRig();
  routes = allRoutes();
  organizationId = rig.organization();
});
afterAll(() => rig.close());

function allRoutes(): Route[] {
  const found: Route[] = [];
  const part: Part = {
    get: (path, _handler, action) => void found.push({ method: 'GET', path, action }),
    post: (path, _handler, action) => void found.push({ method: 'POST', path, action }),
  };
  const addresses = Object.fromEntries(peerNames.map((name) => [name, '127.0.0.1:1'])) as Record<PeerName, string>;
  const peers = openPeers(addresses, testIdentity('application'));
  for (const add of parts(peers, {} as SignInPorts)) add(part);
  peers.close();
  return found;
}

/** With ids that are well-formed and nobody's. */
const placeOf = ({ path }: Route, organization = organizationId): string => {
  const id = randomUUID();
  return `/app/${organization}${path.replace(':deliveryId', `${randomUUID()}:${id}`).replace(/:\w+/g, id)}`;
};

const ask = (visitor: Visitor, route: Route, organization?: string) =>
  route.method === 'GET' ? visitor.get(placeOf(route, organization)) : visitor.post(placeOf(route, organization));

test('every form says what its sender does by it', () => {
  const forms = routes.filter(({ method }) => method === 'POST');
  expect(forms.length).toBeGreaterThan(30);
  expect(forms.filter(({ action }) => action === undefined)).toEqual([]);
});

test.each(roles)('%s: refused what the table does not allow, before anything is asked of anybody', async (role) => {
  const visitor = await rig.member(organizationId, MESSAGES[role]);
  for (const route of routes) {
    const { status } = await ask(visitor, route);
    const isRefused = route.action !== undefined && !mayDo(role, route.action);
    expect([role, route.method, route.path, status === 403]).toEqual([role, route.method, route.path, isRefused]);
  }
});

test('another organisation answers every page and form as one that does not exist', async () => {
  const visitor = await rig.member(rig.organization(), Role.OWNER);
  for (const route of routes) {
    const foreign = await ask(visitor, route, organizationId);
    const nowhere = await ask(visitor, route, randomUUID());
    expect([route, foreign.status, foreign.text]).toEqual([route, 404, nowhere.text]);
  }
});

test('whoever is not signed in is sent to sign in, by every page and form', async () => {
  for (const route of routes) {
    const { status, location } = await ask(rig.visitor(), route);
    expect([route, status, location]).toEqual([route, 303, '/app/sign-in']);
  }
});

test('no form is taken from another site, or from nobody knows where', async () => {
  const visitor = await rig.member(organizationId, Role.OWNER);
  for (const route of routes.filter(({ method }) => method === 'POST'))
    for (const headers of [{}, { origin: 'null' }, { origin: 'https://evil.example' }]) {
      const { status, text } = await visitor.send('POST', placeOf(route), new URLSearchParams(), headers);
      expect([route, headers, status, text.includes('came from another site')]).toEqual([route, headers, 403, true]);
    }
});

test('no other method does anything', async () => {
  const visitor = await rig.member(organizationId, Role.OWNER);
  for (const route of routes)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const headers = { origin: 'http://localhost:8080' };
      const { status } = await visitor.send(method, placeOf(route), new URLSearchParams(), headers);
      expect([method, route, status]).toEqual([method, route, 404]);
    }
});
