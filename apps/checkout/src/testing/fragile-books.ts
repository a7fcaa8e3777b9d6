import { json } from 'node:stream/consumers';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Mode, OrganizationsService, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { ProvidersService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { WebhooksService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { newCallContext } from '@invoicing/rpc';
import { retryUntilAnswered } from './fragile-payer';
import { type FragilePlatform } from './fragile-platform';

/** The body of invoice.paid, as far as it is looked at. */
export interface PaidEvent {
  readonly invoiceId: string;
  readonly checkoutId: string;
  readonly totalIncl: number;
}

/** An integrator's side: an organisation with the sandbox connected, and a webhook that keeps what it is told. */
export async function openBooks(platform: FragilePlatform) {
  /** webhook-id → event: the same id again is the same event. */
  const events = new Map<string, PaidEvent>();
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      events.set(String(request.headers['webhook-id']), (body as { data: PaidEvent }).data);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const call = () => newCallContext(5_000);

  const { id: organizationId } = await retryUntilAnswered('organisation', () =>
    platform
      .channel('billing', 'admin')
      .client(OrganizationsService)
      .createOrganization({ details: { name: 'Chaos B.V.' }, plan: Plan.STANDARD, mode: Mode.TEST }, call()),
  );
  await retryUntilAnswered('provider', () =>
    platform
      .channel('checkout', 'admin')
      .client(ProvidersService)
      .connectProvider({ organizationId, provider: 'sandbox' }, call()),
  );
  await retryUntilAnswered('webhook', () =>
    platform
      .channel('notification', 'admin')
      .client(WebhooksService)
      .createEndpoint({ organizationId, url, events: ['invoice.paid'] }, call()),
  );
  return {
    organizationId,
    events,
    /** The beginning of every message in the built-in mailbox: its headers. */
    mails: (): string[] => {
      const place = join(platform.folder, 'mail');
      const files = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.eml')) : [];
      return files.map((name) => readFileSync(join(place, name), 'latin1').slice(0, 2_000));
    },
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Whether a message is addressed to `email`, and not to one that only ends or begins like it. */
export const isTo = (mail: string, email: string): boolean => new RegExp(`^To:.*[ <]${email}>?\\r?$`, 'm').test(mail);
