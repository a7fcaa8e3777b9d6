import { randomBytes, randomUUID } from 'node:crypto';
import { Router } from 'express';
import { TaskPool } from '@invoicing/concurrency';
import { connectMongo, startPurge, type Connection } from '@invoicing/mongo';
import { newCallContext, serveRpc } from '@invoicing/rpc';
import type { Running } from '@invoicing/service';
import type { Logger } from '@invoicing/telemetry';
import type { ApplicationConfig } from './config';
import { pageApp, servePages } from './pages/page-server';
import { callFor } from './pages/visit';
import { workplaceRoutes } from './pages/workplace-routes';
import { parts } from './parts';
import { openidClient } from './openid/openid-client';
import { openidRoutes, openidSections } from './openid/openid-routes';
import { openOpenidStore } from './openid/openid-store';
import { openTeamHistory, openTeams, teamStore } from './people/team-store';
import { openUserStore } from './people/user-store';
import { passkeyRoutes, passkeySignInRoutes } from './passkeys/passkey-routes';
import { openPasskeyStore } from './passkeys/passkey-store';
import { usersService } from './people/user-rpc';
import { openPeers, type Peers } from './peers-client';
import { hashOf, newToken } from './secret-token';
import { accountRoutes } from './sign-in/account-routes';
import { cookies } from './pages/cookies';
import { openChallengeStore } from './sign-in/challenge-store';
import { openLimitStore } from './sign-in/limit-store';
import { openSessionStore } from './sign-in/session-store';
import { requireSession, signInRoutes } from './sign-in/sign-in-routes';
import { signUpRoutes } from './sign-in/sign-up-routes';
import type { SignInMessage } from './people/people-ports';
import type { SignInPorts } from './sign-in/sign-in-ports';
import { openSignInStore } from './sign-in/sign-in-store';

const MAIL_MS = 15_000;

/** Where an organisation's people work: pages, and gRPC for operators. Listens once the store answers; peers may come and go. */
export async function startApplication(
  config: ApplicationConfig,
  log: Logger,
): Promise<Running & { port: number; httpPort: number }> {
  const { host, identity, publicUrl } = config;
  const connection = await connectMongo({
    uri: config.mongoUri,
    database: 'application',
    migrations: [],
    onWaiting: (message) => log.warn(message),
    onMigration: (message) => log.info(message),
  });
  const peers = openPeers(config.addresses, identity);
  const mails = new TaskPool();
  const ports = await openPorts(connection, peers, config, (message) => mails.add(send(peers, message, log)));
  const names = cookies(publicUrl);
  const routes = Router();
  routes.use(signInRoutes(ports, names, (visit) => openidSections(visit, config.openidProviders)));
  routes.use(openidRoutes(ports, config.openidProviders, names));
  routes.use(passkeySignInRoutes(ports, names));
  routes.use(requireSession(ports, names));
  routes.use(passkeyRoutes(ports, names));
  routes.use(accountRoutes(ports, peers, names));
  if (config.isSignUpOpen) routes.use(signUpRoutes(ports, peers));
  routes.use(workplaceRoutes(ports.teams, peers, parts(peers, ports)));
  const pages = await servePages(pageApp(routes, names, publicUrl, log), host, config.httpPort);
  const rpc = await serveRpc({
    host,
    port: config.port,
    identity,
    log,
    services: [usersService(ports)],
    isHealthy: () => connection.readyState === 1,
  });
  const purge = startPurge({ history: ports.history.purge }, log);
  log.info({ port: rpc.port, httpPort: pages.port }, 'application listens');
  return {
    port: rpc.port,
    httpPort: pages.port,
    close: async () => {
      await Promise.all([pages.close(), rpc.close()]);
      await purge.close();
      await mails.idle();
      peers.close();
      await connection.close();
    },
  };
}

/** What signing in, and the people of organisations, need. */
async function openPorts(
  connection: Connection,
  peers: Peers,
  { publicUrl, isSignUpOpen }: Pick<ApplicationConfig, 'publicUrl' | 'isSignUpOpen'>,
  mail: SignInPorts['mail'],
): Promise<SignInPorts> {
  const clock = { now: () => new Date() };
  const teams = await openTeams(connection);
  const history = await openTeamHistory(connection, teams);
  return {
    teams: teamStore(teams, history),
    history,
    users: await openUserStore(connection),
    signIns: await openSignInStore(connection),
    sessions: await openSessionStore(connection),
    limits: await openLimitStore(connection),
    challenges: await openChallengeStore(connection),
    passkeys: await openPasskeyStore(connection),
    identities: await openOpenidStore(connection),
    openid: openidClient(clock.now),
    clock,
    newId: randomUUID,
    newToken,
    hashOf,
    random: randomBytes,
    publicUrl,
    isSignUpOpen,
    organization: async (organizationId, person) => {
      const found = await peers.organizations.getOrganization({ organizationId }, callFor(organizationId, person));
      return { name: found.details?.name ?? '' };
    },
    mail,
  };
}

async function send({ mail }: Pick<Peers, 'mail'>, message: SignInMessage, log: Logger): Promise<void> {
  try {
    await mail.sendSignIn(message, newCallContext(MAIL_MS));
  } catch (error) {
    // Whoever gets none asks again.
    log.warn({ error }, 'sign-in not mailed');
  }
}
