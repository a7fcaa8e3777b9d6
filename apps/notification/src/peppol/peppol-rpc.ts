import { randomUUID } from 'node:crypto';
import {
  PeppolService,
  type AccessPointAccount as AccountMessage,
} from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { AppError, validationError } from '@invoicing/errors';
import { isParticipant } from '@invoicing/rules';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';
import { LIST, requireUuid } from '../request-rules';
import type { AccessPointAccount } from './access-point';
import { connectAccessPoint, type ConnectPorts } from './connect-access-point';
import { lookupRecipient } from './lookup-recipient';
import type { PeppolDelivery } from './peppol-delivery';
import type { PeppolPorts } from './peppol-ports';
import type { PeppolSender } from './peppol-sender';

// Whoever issues waits for it: long enough for a lookup and a submission, as a rule.
const LONGEST_WAIT_MS = 4_000;
const WAY_BACK_MS = 200;

const waitOf = ({ deadline }: { readonly deadline: number }): number =>
  Math.max(0, Math.min(LONGEST_WAIT_MS, deadline - Date.now() - WAY_BACK_MS));

/** E-invoices over Peppol, and the accounts that they go by. */
export const peppolService = (ports: PeppolPorts, connecting: ConnectPorts, sender: PeppolSender): BoundService =>
  bindService(
    PeppolService,
    {
      connectAccessPoint: async ({ organizationId, accessPoint, apiKey, senderId, baseUrl }, call) => {
        requireUuid({ organizationId });
        const wanted = {
          ...{ id: call.operationId ?? randomUUID(), organizationId, accessPoint },
          ...{ apiKey: apiKey || null, senderId: senderId || null, baseUrl: baseUrl?.replace(/\/+$/, '') || null },
        };
        return accountMessage(await connectAccessPoint(connecting, wanted));
      },
      listAccessPoints: async ({ organizationId }) => {
        requireUuid({ organizationId });
        const account = await ports.accounts.current(organizationId);
        return { accounts: account ? [accountMessage(account)] : [] };
      },
      lookupRecipient: async ({ organizationId, participant, refresh, onlyKnown }) => {
        requireUuid({ organizationId });
        if (!isParticipant(participant))
          throw validationError([{ path: '/participant', message: 'must be a scheme and an id, as 0208:0123456749' }]);
        const account = await ports.accounts.current(organizationId);
        if (onlyKnown) {
          const known = account && (await ports.recipients.find(organizationId, account.id, participant));
          return known ?? { participant, receives: false, lookedUpAt: undefined };
        }
        if (!account) throw new AppError('blocked', 'access_point_missing', 'connect an access point first');
        const { now } = ports.deliveries;
        return lookupRecipient({ ...ports, now }, account, participant, refresh);
      },
      requestDelivery: async ({ organizationId, invoiceId }, call) => {
        requireUuid({ organizationId, invoiceId });
        return deliveryMessage(await sender.begin({ organizationId, invoiceId }, waitOf(call)));
      },
      sendInvoice: async ({ organizationId, invoiceId }, call) => {
        requireUuid({ organizationId, invoiceId });
        const asked = { id: call.operationId ?? randomUUID(), by: call.by };
        return deliveryMessage(await sender.send({ organizationId, invoiceId }, asked, waitOf(call)));
      },
      listDeliveries: async ({ organizationId, invoiceId, limit }) => {
        if (organizationId !== undefined) requireUuid({ organizationId });
        if (invoiceId !== undefined) requireUuid({ invoiceId });
        if (invoiceId !== undefined && organizationId === undefined)
          throw validationError([{ path: '/organizationId', message: 'goes with the invoice' }]);
        const found = await ports.deliveries.list({ organizationId, invoiceId }, listLimit(limit, LIST));
        return { deliveries: found.map(deliveryMessage) };
      },
    },
    {
      connectAccessPoint: { callers: ['application', 'admin'], action: 'providers.connect' },
      listAccessPoints: { callers: ['application', 'admin'], action: 'settings.read' },
      lookupRecipient: { callers: ['application', 'admin'], action: 'customers.read' },
      requestDelivery: { callers: ['billing'] },
      sendInvoice: { callers: ['application', 'admin'], action: 'invoices.issue' },
      listDeliveries: { callers: ['application', 'admin'], action: 'messages.read' },
    },
  );

const accountMessage = (account: AccessPointAccount): AccountMessage => {
  const { id, organizationId, accessPoint, senderId, connectedAt } = account;
  return { id, organizationId, accessPoint, senderId: senderId ?? '', connectedAt };
};

const deliveryMessage = ({
  _id: id,
  createdAt: at,
  submissionId = '',
  messageId = '',
  ...delivery
}: PeppolDelivery) => {
  const { organizationId, invoiceId, status, error, reason, recipient, attempts, by } = delivery;
  const { lookedUpAt, submittedAt, deliveredAt } = delivery;
  return {
    ...{ id, organizationId, invoiceId, status, error, reason, recipient, attempts, at, by },
    ...{ lookedUpAt, submittedAt, deliveredAt, submissionId, messageId },
  };
};
