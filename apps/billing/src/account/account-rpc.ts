import { randomUUID } from 'node:crypto';
import {
  AccountsService,
  MovementKind,
  WriteOffReason,
  type RecordMovementRequest,
} from '@invoicing/contracts/invoicing/billing/v1/account';
import { notFoundError, validationError } from '@invoicing/errors';
import { bindService, type BoundService, type ServerCallContext } from '@invoicing/rpc';
import { organizationOf } from '../invoices/get-invoice';
import type { Ports } from '../billing-ports';
import { accountInvoice, readAccount } from './account';
import { toAccount, toChange, toEntries } from './account-proto';
import type { Operation } from './append-entry';
import { moveSurplus } from './move-surplus';
import { recordMovement, type Movement } from './record-movement';
import { recordPayment } from './record-payment';
import { refundPayment } from './refund-payment';
import { reverseEntry } from './reverse-entry';
import { writeOff } from './write-off';

export function accountsService(ports: Ports): BoundService {
  // An operator may leave the organisation out; everybody else acts for the one they name.
  const owner = async (organizationId: string, invoiceId: string, { caller }: ServerCallContext): Promise<string> =>
    organizationId === '' && caller === 'admin' ? organizationOf(ports, invoiceId) : organizationId;
  const ownerOfEntry = async (organizationId: string, entryId: string, call: ServerCallContext): Promise<string> => {
    if (organizationId !== '' || call.caller !== 'admin') return organizationId;
    const found = (await ports.accounts.organizationOf(entryId)) ?? (await ports.invoices.organizationOf(entryId));
    if (found === undefined) throw notFoundError('the entry');
    return found;
  };
  const read = async (request: { organizationId: string; invoiceId: string }, call: ServerCallContext) => {
    const organizationId = await owner(request.organizationId, request.invoiceId, call);
    const issued = await accountInvoice(ports, organizationId, request.invoiceId);
    return readAccount(ports, issued);
  };
  return bindService(
    AccountsService,
    {
      getAccount: async (request, call) => toAccount(request.invoiceId, await read(request, call)),
      listEntries: async (request, call) => {
        const account = await read(request, call);
        return { entries: toEntries(account), account: toAccount(request.invoiceId, account) };
      },
      recordPayment: async ({ organizationId, invoiceId, providerId, ...input }, call) => {
        const payment = { ...input, paymentId: providerId };
        const of = await owner(organizationId, invoiceId, call);
        const { entry, account } = await recordPayment(ports, of, invoiceId, payment, operation(call));
        return toChange(invoiceId, account, [entry], entry.surplusCents);
      },
      refundPayment: async ({ organizationId, invoiceId, ...input }, call) => {
        const of = await owner(organizationId, invoiceId, call);
        const { entries, account } = await refundPayment(ports, of, invoiceId, input, operation(call), call);
        return toChange(invoiceId, account, entries);
      },
      moveSurplus: async ({ organizationId, invoiceId, ...input }, call) => {
        const of = await owner(organizationId, invoiceId, call);
        const { entry, account } = await moveSurplus(ports, of, invoiceId, input, operation(call), call);
        return toChange(invoiceId, account, [entry]);
      },
      writeOff: async ({ organizationId, invoiceId, reason, ...input }, call) => {
        const of = await owner(organizationId, invoiceId, call);
        const wanted = { ...input, reason: reasonOf(reason) };
        const { entry, account } = await writeOff(ports, of, invoiceId, wanted, operation(call));
        return toChange(invoiceId, account, [entry]);
      },
      reverseEntry: async ({ organizationId, entryId, reason }, call) => {
        const of = await ownerOfEntry(organizationId, entryId, call);
        const { issued, entry, account } = await reverseEntry(ports, of, entryId, reason, operation(call));
        return toChange(issued._id, account, [entry]);
      },
      recordMovement: async ({ organizationId, invoiceId, ...told }, call) => {
        const movement = movementOf(told);
        const { account } = await recordMovement(ports, organizationId, invoiceId, movement, operation(call), call);
        return toChange(invoiceId, account, []);
      },
    },
    {
      getAccount: { callers: ['application', 'admin'], action: 'invoices.read' },
      listEntries: { callers: ['application', 'admin'], action: 'invoices.read' },
      recordPayment: { callers: ['checkout', 'application', 'admin'], action: 'payments.record' },
      refundPayment: { callers: ['checkout', 'application', 'admin'], action: 'refunds.create' },
      moveSurplus: { callers: ['application', 'admin'], action: 'payments.record' },
      writeOff: { callers: ['application', 'admin'], action: 'payments.record' },
      reverseEntry: { callers: ['application', 'admin'], action: 'payments.record' },
      recordMovement: { callers: ['checkout'] },
    },
  );
}

const operation = ({ operationId = randomUUID(), by }: ServerCallContext): Operation => ({ id: operationId, by });

function reasonOf(reason: WriteOffReason): 'rounding' | 'bad_debt' {
  if (reason === WriteOffReason.ROUNDING) return 'rounding';
  if (reason === WriteOffReason.BAD_DEBT) return 'bad_debt';
  throw validationError([{ path: '/reason', message: 'must be rounding or bad_debt' }]);
}

function movementOf({ kind, at, ...told }: Omit<RecordMovementRequest, 'organizationId' | 'invoiceId'>): Movement {
  if (kind === MovementKind.UNSPECIFIED || !at)
    throw validationError([{ path: '/kind', message: 'is required, with its time' }]);
  return { ...told, kind: kind === MovementKind.REFUND ? 'refund' : 'chargeback', movedAt: at };
}
