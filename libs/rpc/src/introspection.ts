import type { Server, UntypedHandleCall, UntypedServiceImplementation } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { descriptorSet } from '@invoicing/contracts/descriptor-set';
import type { RpcIdentity } from './credentials';
import { authenticate } from './server-call';
import { statusOfError } from './status';

const REFRESH_MS = 500;

/** grpc.health.v1, open to probes without a token. The empty service name speaks for the whole process. */
export function addHealth(server: Server, isHealthy: () => boolean): void {
  const health = new HealthImplementation({ '': isHealthy() ? 'SERVING' : 'NOT_SERVING' });
  setInterval(() => health.setStatus('', isHealthy() ? 'SERVING' : 'NOT_SERVING'), REFRESH_MS).unref();
  health.addToServer(server);
}

/** Server reflection (v1 and v1alpha) of these services, for known identities only. */
export function addReflection(server: Server, identity: RpcIdentity, services: string[]): void {
  const reflection = new ReflectionService(loadFileDescriptorSetFromBuffer(descriptorSet), { services });
  reflection.addToServer({
    addService: (definition, implementation) => server.addService(definition, guarded(implementation, identity)),
  });
}

function guarded(implementation: UntypedServiceImplementation, identity: RpcIdentity): UntypedServiceImplementation {
  return Object.fromEntries(
    Object.entries(implementation).map(([name, handle]): [string, UntypedHandleCall] => [
      name,
      // Reflection methods are bidirectional streams only.
      ((call: Parameters<typeof authenticate>[0] & { emit: (event: 'error', error: unknown) => void }) => {
        try {
          authenticate(call, identity);
        } catch (error) {
          call.emit('error', statusOfError(error));
          return;
        }
        (handle as (call: unknown) => void)(call);
      }) as UntypedHandleCall,
    ]),
  );
}
