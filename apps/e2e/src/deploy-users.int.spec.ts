import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { tempFolder } from '@invoicing/testing';

// A user of its own for each service at the store and at the broker, in what is deployed: compose, the script that makes the users, the
// broker's configuration and the secrets. That the broker's permissions hold: libs/events/src/broker-options.int.spec.ts.

const ROOT = resolve(__dirname, '../../..');
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

type Variables = Record<string, string | number>;
const { services } = parse(text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, { environment?: Variables; image: string }>;
};
const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('invoicing:'));
const variable = (name: string): [service: string, value: string][] =>
  ours.flatMap(([service, { environment = {} }]) =>
    name in environment ? [[service, String(environment[name])]] : [],
  );

/** User and the variable that its password comes from. */
const userOf = (url: string) => /^\w+:\/\/([^:]+):\$\{(\w+):\?[^}]+\}@/.exec(url)?.slice(1);

test('every service reaches the store as itself, and nobody as another or without a password', () => {
  const stores = variable('MONGODB_URI');
  expect(stores.map(([service]) => service).sort()).toEqual(
    ['application', 'billing', 'catalog', 'checkout', 'gateway', 'notification'].sort(),
  );
  for (const [service, url] of stores)
    expect([service, userOf(url)]).toEqual([service, [service, `MONGODB_${service.toUpperCase()}_PASSWORD`]]);
});

test('every service reaches the broker as itself', () => {
  const brokers = variable('NATS_URL');
  expect(brokers.map(([service]) => service).sort()).toEqual(['billing', 'checkout', 'gateway', 'notification']);
  for (const [service, url] of brokers)
    expect([service, userOf(url)]).toEqual([service, [service, `NATS_${service.toUpperCase()}_PASSWORD`]]);
  const configured = [...text('deploy/nats/nats.conf').matchAll(/user: "(\w+)"\s+password: \$(\w+)/g)];
  expect(configured.map(([, user, password]) => [user, password]).sort()).toEqual(
    brokers.map(([service]) => [service, `NATS_${service.toUpperCase()}_PASSWORD`]).sort(),
  );
});

test('no service is given the secret of another', () => {
  const owners = new Map<string, Set<string>>();
  for (const [service, { environment = {} }] of ours)
    for (const value of Object.values(environment))
      for (const [, secret] of String(value).matchAll(/\$\{(\w*(?:PASSWORD|SERVICE_TOKEN|_KEY|SECRET\w*))[:}]/g))
        owners.set(secret!, (owners.get(secret!) ?? new Set()).add(service));
  expect(owners.size).toBeGreaterThan(15);
  for (const [secret, of] of owners) expect([secret, of.size]).toEqual([secret, 1]);
  expect(owners.has('MONGODB_ROOT_PASSWORD')).toBe(false);
});

interface User {
  readonly user: string;
  readonly pwd: string;
  readonly roles: { role: string; db: string }[] | string[];
}

/** Runs the script of the deployment against a store that only writes down which users are made. */
function usersMade(env: Record<string, string>): User[] {
  const made: User[] = [];
  const admin = {
    auth: () => ({ ok: made.some(({ user }) => user === 'root') ? 1 : 0 }),
    createUser: (user: User) => void made.push(user),
    getUser: () => null,
  };
  const db = { getSiblingDB: () => admin, hello: () => ({ isWritablePrimary: true, primary: 'mongodb-1:27017' }) };
  const rs = { initiate: () => undefined };
  runInNewContext(text('deploy/mongodb/initiate.js'), { db, rs, print: () => undefined, process: { env }, Error });
  return made;
}

test('the store’s users have rights on their own database and no other; each secret is made anew, and differs', () => {
  const folder = tempFolder();
  const secretsOf = (name: string): Record<string, string> => {
    const file = join(folder.path, name);
    execFileSync(process.execPath, [join(ROOT, 'deploy/make-secrets.mjs'), file], { stdio: 'pipe' });
    return Object.fromEntries(
      [...readFileSync(file, 'utf8').matchAll(/^(\w+)=(.+)$/gm)].map(([, key, value]) => [key, value]),
    );
  };
  const [first, second] = [secretsOf('one'), secretsOf('two')];
  folder.remove();
  const values = [...Object.values(first), ...Object.values(second)];
  expect(new Set(values).size).toBe(values.length);

  const users = usersMade(first).filter(({ user }) => user !== 'root');
  expect(users.map(({ user }) => user).sort()).toEqual(
    variable('MONGODB_URI')
      .map(([service]) => service)
      .sort(),
  );
  for (const { user, pwd, roles } of users) {
    expect(pwd).toBe(first[`MONGODB_${user.toUpperCase()}_PASSWORD`]);
    expect([...roles]).toEqual(['readWrite', 'dbAdmin'].map((role) => ({ role, db: user })));
  }
});
