import { MailService, type SendSignInRequest } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { Organization, Mode, OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { notFoundError } from '@invoicing/errors';
import { bindService, serveRpc, type ServerCallContext } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { openService, testIdentity } from '@invoicing/testing';

/** Billing and notification as far as signing in needs them, over gRPC; mails are kept to be read. */
export async function startFakePeers() {
  const organizations = new Map<string, string>();
  const mails: SendSignInRequest[] = [];
  const asked: ServerCallContext['principal'][] = [];
  const server = await serveRpc({
    host: '127.0.0.1',
    port: 0,
    identity: testIdentity('billing'),
    log: createLogger('peers', 'silent'),
    isHealthy: () => true,
    services: [
      bindService(
        { getOrganization: OrganizationsService.getOrganization },
        {
          getOrganization: async ({ organizationId }, { principal }) => {
            const name = organizations.get(organizationId);
            if (name === undefined) throw notFoundError('the organisation');
            asked.push(principal);
            return Organization.fromPartial({
              id: organizationId,
              details: { name, timezone: 'Europe/Amsterdam' },
              mode: Mode.TEST,
              currency: 'EUR',
            });
          },
        },
        { getOrganization: { callers: ['application'], action: 'settings.read' } },
      ),
      openService(MailService, {
        sendSignIn: async (mail) => {
          mails.push(mail);
          return {};
        },
      }),
    ],
  });
  return {
    address: `127.0.0.1:${server.port}`,
    organizations,
    mails,
    /** For whom organisations were asked. */
    asked,
    close: server.close,
  };
}

export type FakePeers = Awaited<ReturnType<typeof startFakePeers>>;
