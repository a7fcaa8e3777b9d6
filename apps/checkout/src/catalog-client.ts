import { CustomersService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import { type Catalog } from './sessions/session-ports';

/** Catalog over gRPC. */
export function catalogClient(channel: RpcChannel): Catalog {
  const customers = channel.client(CustomersService);
  return {
    matchCustomer: async (organizationId, details, operationId, call) => {
      const { id } = await customers.matchCustomer(
        { organizationId, details },
        newCallContext(0, { ...call, operationId }),
      );
      return id;
    },
  };
}
