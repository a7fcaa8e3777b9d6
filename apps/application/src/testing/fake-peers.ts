import { MailService, type SendSignInRequest } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { Organization, Mode, OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { notFoundError, validationError } from '@invoicing/errors';
import { bindService, serveRpc, type ServerCallContext } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { openService, testIdentity } from '@invoicing/testing';

/** Billing and notification as far as signing in needs them, over gRPC; mails are kept to be read. */
export async function startFakePeers() {
  const organizations = new Map<string, string>();
  const signedUp: { readonly name: string; readonly principal: ServerCallContext['principal'] }[] = [];
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
        {
          getOrganization: OrganizationsService.getOrganization,
          createOrganization: OrganizationsService.createOrganization,
        },
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
          createOrganization: async ({ details }, { principal, operationId }) => {
            const name = details?.name ?? '';
            if (name === '') throw validationError([{ path: '/details/name', message: 'must not be empty' }]);
            if (!organizations.has(operationId!)) signedUp.push({ name, principal });
            organizations.set(operationId!, name);
            return Organization.fromPartial({ id: operationId!, details: { name } });
          },
        },
        {
          getOrganization: { callers: ['application'], action: 'settings.read' },
          createOrganization: { callers: ['application'] },
        },
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
    /** What people created by themselves, and who. */
    signedUp,
    /** For whom organisations were asked. */
    asked,
    close: server.close,
  };
}

export type FakePeers = Awaited<ReturnType<typeof startFakePeers>>;
