import { CustomersService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import { isEmailAddress } from '@invoicing/rules';
import { type Catalog } from './sessions/session-ports';

/** Catalog over gRPC. */
export function catalogClient(channel: RpcChannel): Catalog {
  const customers = channel.client(CustomersService);
  return {
    matchCustomer: async (organizationId, details, operationId, call) => {
      // A version before kept addresses that no mail server takes. Their payers may have paid: their invoice comes without e-mail.
      const email = isEmailAddress(details.email) ? details.email : undefined;
      const { id } = await customers.matchCustomer(
        { organizationId, details: { ...details, email } },
        newCallContext(0, { ...call, operationId }),
      );
      return id;
    },
  };
}
