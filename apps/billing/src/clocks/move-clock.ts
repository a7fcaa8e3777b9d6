import { setTimeout } from 'node:timers/promises';
import { AppError } from '@invoicing/errors';
import { CLOCKS_KNOWN_MS, CLOCKS_NET_MS, type RunningClocks } from '@invoicing/mongo';
import type { Ports } from '../billing-ports';
import type { Call } from '../invoices/invoice-ports';
import { getOrganization } from '../organizations/manage-organizations';
import type { Organization } from '../organizations/organization';
import { movedTo, type Clock, type ClockMove } from './clock';
import type { Clocks } from './clock-store';

/** What moving a clock needs. */
export interface ClockPorts extends Pick<Ports, 'organizations'> {
  readonly clocks: Clocks;
  /** `tell` tells every process that one was moved; answers whether that was passed on. */
  readonly running: Pick<RunningClocks, 'now' | 'refresh' | 'ahead'> & { readonly tell: () => Promise<boolean> };
}

/** Throws `not_found`. */
export async function readClock(ports: ClockPorts, organizationId: string): Promise<Clock> {
  await getOrganization(ports, organizationId);
  return clockOf(ports, organizationId);
}

/** Answers once every service goes by it; the same operation again moves nothing. Throws `not_found`, `validation` or `test_only`. */
export async function moveClock(
  ports: ClockPorts,
  organizationId: string,
  move: ClockMove,
  { operationId, dryRun }: Pick<Call, 'operationId' | 'dryRun'>,
): Promise<Clock> {
  const { details } = await testOrganization(ports, organizationId);
  const { running, clocks } = ports;
  await running.refresh();
  const realNow = new Date();
  const before = await clocks.find(organizationId);
  if (operationId !== undefined && before?.operationId === operationId) return known(ports, organizationId);
  const target = movedTo(move, running.now(organizationId), details.timezone, realNow);
  const aheadMs = Math.max(0, target.getTime() - realNow.getTime());
  if (dryRun) return { _id: organizationId, aheadMs };
  await clocks.set({ _id: organizationId, aheadMs, ...(operationId && { operationId }) });
  return known(ports, organizationId);
}

/** Back to real time. Throws `not_found` or `test_only`. */
export async function clearClock(
  ports: ClockPorts,
  organizationId: string,
  { dryRun }: Pick<Call, 'dryRun'>,
): Promise<Clock> {
  await testOrganization(ports, organizationId);
  if (dryRun) return { _id: organizationId, aheadMs: 0 };
  await ports.clocks.clear(organizationId);
  return known(ports, organizationId);
}

async function testOrganization(ports: ClockPorts, organizationId: string): Promise<Organization> {
  const organization = await getOrganization(ports, organizationId);
  if (organization.mode !== 'test')
    throw new AppError('forbidden', 'test_only', 'only a test organisation has a clock of its own');
  return organization;
}

async function known(ports: ClockPorts, organizationId: string): Promise<Clock> {
  await ports.running.refresh();
  const isTold = await ports.running.tell();
  await setTimeout(isTold ? CLOCKS_KNOWN_MS : CLOCKS_NET_MS);
  return clockOf(ports, organizationId);
}

const clockOf = ({ running }: ClockPorts, organizationId: string): Clock => ({
  _id: organizationId,
  aheadMs: running.ahead().get(organizationId) ?? 0,
});
