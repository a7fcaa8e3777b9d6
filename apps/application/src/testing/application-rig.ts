import { randomUUID } from 'node:crypto';
import { type Role, UsersService } from '@invoicing/contracts/invoicing/application/v1/users';
import { connectMongo, type Connection } from '@invoicing/mongo';
import { openChannel, type RpcClient } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testCall, testIdentity } from '@invoicing/testing';
import { peerNames, type ApplicationConfig, type PeerName } from '../config';
import { startApplication } from '../service';
import { startFakePeers, type FakePeers } from './fake-peers';
import { Visitor } from './visitor';

/** The application with its real store, gRPC and HTTP, beside peers that speak the contract. */
export interface ApplicationRig {
  readonly url: string;
  readonly port: number;
  readonly peers: FakePeers;
  readonly users: RpcClient<typeof UsersService>;
  /** What the application has stored. */
  readonly database: Connection;
  readonly organization: (name?: string) => string;
  /** Somebody with a browser of their own. */
  readonly visitor: () => Visitor;
  /** A member who is signed in. */
  readonly member: (organizationId: string, role: Role, email?: string) => Promise<Visitor>;
  readonly close: () => Promise<void>;
}

export async function startApplicationRig(changes: Partial<ApplicationConfig> = {}): Promise<ApplicationRig> {
  const [store, peers] = await Promise.all([startTestStore(), startFakePeers()]);
  const config: ApplicationConfig = {
    host: '127.0.0.1',
    port: 0,
    httpPort: 0,
    mongoUri: store.uri,
    publicUrl: 'http://localhost:8080',
    identity: testIdentity('application'),
    openidProviders: [],
    isSignUpOpen: false,
    addresses: Object.fromEntries(peerNames.map((name) => [name, peers.address])) as Record<PeerName, string>,
    ...changes,
  };
  const application = await startApplication(config, createLogger('application', process.env['LOG_LEVEL'] ?? 'silent'));
  const admin = openChannel(`127.0.0.1:${application.port}`, testIdentity('admin'));
  const users = admin.client(UsersService);
  const database = await connectMongo({ uri: store.uri, database: 'application' });
  const url = `http://127.0.0.1:${application.httpPort}`;
  const visitor = (): Visitor => new Visitor(url, config.publicUrl);
  return {
    url,
    port: application.port,
    peers,
    users,
    database,
    organization: (name = 'Bakkerij De Zon') => {
      const id = randomUUID();
      peers.organizations.set(id, name);
      return id;
    },
    visitor,
    member: async (organizationId, role, email = `${randomUUID()}@example.nl`) => {
      const { signInUrl } = await users.inviteUser({ organizationId, email, role }, testCall());
      const browser = visitor();
      await browser.post(new URL(signInUrl).pathname);
      return browser;
    },
    close: async () => {
      admin.close();
      await application.close();
      await database.close();
      await peers.close();
      await store.close();
    },
  };
}
