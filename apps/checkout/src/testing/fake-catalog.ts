import { randomUUID } from 'node:crypto';
import { CustomersService, type Customer } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { serveRpc, type Handlers, type RpcServer } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { openService, testIdentity } from '@invoicing/testing';

/** Catalog's contract in memory, over real gRPC: customers matched by their e-mail address. */
export class FakeCatalog {
  readonly customers = new Map<string, Customer>();
  interfere: (when: 'before' | 'after') => Promise<void> | void = () => undefined;
  private server: RpcServer | undefined;

  async start(port: number): Promise<number> {
    const handlers: Partial<Handlers<typeof CustomersService>> = {
      matchCustomer: async ({ organizationId, details }, { operationId = randomUUID() }) => {
        await this.interfere('before');
        const known = [...this.customers.values()].find(
          (each) => each.organizationId === organizationId && each.details?.email === details?.email,
        );
        const now = new Date();
        const customer = known ?? {
          ...{ id: operationId, organizationId, details, createdAt: now, updatedAt: now },
          warnings: [],
        };
        this.customers.set(customer.id, customer);
        await this.interfere('after');
        return customer;
      },
    };
    this.server = await serveRpc({
      host: '127.0.0.1',
      port,
      identity: testIdentity('catalog'),
      log: createLogger('catalog', 'silent'),
      isHealthy: () => true,
      services: [openService(CustomersService, handlers)],
    });
    return this.server.port;
  }

  async stop(): Promise<void> {
    await this.server?.close();
    this.server = undefined;
  }
}
