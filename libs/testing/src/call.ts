import { newCallContext, type CallContext } from '@invoicing/rpc';

/** A context for a test's own gRPC call. */
export const testCall = (options: Partial<CallContext> = {}): CallContext => newCallContext(10_000, options);
