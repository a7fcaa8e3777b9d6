import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import type { Server, UntypedHandleCall, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { descriptorSet } from '@invoicing/contracts/descriptor-set';
import { AppError } from '@invoicing/errors';
import type { RpcIdentity } from './credentials';
import { authenticate } from './server-call';

const REFRESH_MS = 500;
const HEALTH = 'grpc.health.v1';

/** grpc.health.v1, open to probes without a token. The empty service name speaks for the whole process. */
export function addHealth(server: Server, isHealthy: () => boolean): void {
  const health = new HealthImplementation({ '': isHealthy() ? 'SERVING' : 'NOT_SERVING' });
  setInterval(() => health.setStatus('', isHealthy() ? 'SERVING' : 'NOT_SERVING'), REFRESH_MS).unref();
  health.addToServer(server);
}

/** Server reflection (v1 and v1alpha): these services and health for known identities, health alone for everybody else. */
export function addReflection(server: Server, identity: RpcIdentity, services: string[]): void {
  const { file: files } = fromBinary(FileDescriptorSetSchema, descriptorSet);
  const forStrangers: UntypedServiceImplementation[] = [];
  reflectionOf(
    files.filter((file) => file.package === HEALTH),
    [`${HEALTH}.Health`],
  ).addToServer({ addService: (_definition, implementation) => void forStrangers.push(implementation) });
  reflectionOf(files, [...services, `${HEALTH}.Health`]).addToServer({
    addService: (definition, implementation) =>
      // Both add v1 and v1alpha, in this order.
      server.addService(definition, byIdentity(implementation, forStrangers.shift()!, identity)),
  });
}

/** Of the files as they are written: read through proto-loader they come back one a package, without what they import. */
const reflectionOf = (files: readonly FileDescriptorProto[], services: string[]): ReflectionService => {
  const fileDescriptorProtos = files.map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  return new ReflectionService(
    { contract: { format: 'Protocol Buffer 3 DescriptorProto', type: {}, fileDescriptorProtos } },
    { services },
  );
};

type Handle = (call: Parameters<typeof authenticate>[0]) => void;

const byIdentity = (
  known: UntypedServiceImplementation,
  strange: UntypedServiceImplementation,
  identity: RpcIdentity,
): UntypedServiceImplementation =>
  Object.fromEntries(
    Object.keys(known).map((name): [string, UntypedHandleCall] => [
      name,
      // Reflection methods are bidirectional streams only.
      ((call: Parameters<Handle>[0]) =>
        ((isKnown(call, identity) ? known : strange)[name] as unknown as Handle)(call)) as unknown as UntypedHandleCall,
    ]),
  );

function isKnown(call: Parameters<Handle>[0], identity: RpcIdentity): boolean {
  try {
    authenticate(call, identity);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') return false;
    throw error;
  }
}
