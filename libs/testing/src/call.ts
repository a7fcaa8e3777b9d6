import { randomUUID } from 'node:crypto';
import { newCallContext, type CallContext } from '@invoicing/rpc';
import type { Role } from '@invoicing/rules';

/** A context for a test's own gRPC call. */
export const testCall = (options: Partial<CallContext> = {}): CallContext =>
  newCallContext(10_000 * Number(process.env['TIME_SCALE'] ?? 1), options);

/** A call as the application makes it for somebody who is signed in. */
export const testPerson = (organizationId: string, role: Role, options: Partial<CallContext> = {}): CallContext =>
  testCall({ principal: { service: 'application', organizationId, userId: randomUUID(), role }, ...options });
