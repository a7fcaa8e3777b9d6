import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import type {
  MethodDefinition,
  Server,
  ServiceDefinition as GrpcServiceDefinition,
  UntypedHandleCall,
} from '@grpc/grpc-js';
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
  // Made when somebody asks: it takes a tenth of a second and some memory, and most processes are never asked.
  let made: Reflection | undefined;
  const reflection = (): Reflection => (made ??= madeReflection(services));
  for (const version of VERSIONS) {
    const method = (): MethodDefinition<unknown, unknown> => reflection().known[version].definition[INFO]!;
    const definition = {
      path: `/grpc.reflection.${version}.ServerReflection/${INFO}`,
      requestStream: true,
      responseStream: true,
      requestSerialize: (message: unknown) => method().requestSerialize(message),
      requestDeserialize: (bytes: Buffer) => method().requestDeserialize(bytes),
      responseSerialize: (message: unknown) => method().responseSerialize(message),
      responseDeserialize: (bytes: Buffer) => method().responseDeserialize(bytes),
    };
    const handle = (call: ReflectionCall): void => {
      const { known, strange } = reflection();
      (isKnown(call, identity) ? known : strange)[version].handle(call);
    };
    server.addService({ [INFO]: definition }, { [INFO]: handle as unknown as UntypedHandleCall });
  }
}

const INFO = 'ServerReflectionInfo';
/** In the order in which the package adds them to a server. */
const VERSIONS = ['v1', 'v1alpha'] as const;

type ReflectionCall = Parameters<typeof authenticate>[0];

/** What the package would add to a server, by version. */
type Reflected = Readonly<
  Record<(typeof VERSIONS)[number], { definition: GrpcServiceDefinition; handle: (call: ReflectionCall) => void }>
>;

interface Reflection {
  readonly known: Reflected;
  readonly strange: Reflected;
}

function madeReflection(services: string[]): Reflection {
  const { file: files } = fromBinary(FileDescriptorSetSchema, descriptorSet);
  const health = [`${HEALTH}.Health`];
  return {
    known: reflectionOf(files, [...services, ...health]),
    strange: reflectionOf(
      files.filter((file) => file.package === HEALTH),
      health,
    ),
  };
}

/** Of the files as they are written: read through proto-loader they come back one a package, without what they import. */
function reflectionOf(files: readonly FileDescriptorProto[], services: string[]): Reflected {
  const fileDescriptorProtos = files.map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  const service = new ReflectionService(
    { contract: { format: 'Protocol Buffer 3 DescriptorProto', type: {}, fileDescriptorProtos } },
    { services },
  );
  const added: Reflected[keyof Reflected][] = [];
  service.addToServer({
    addService: (definition, { [INFO]: handle }) =>
      void added.push({ definition, handle: handle as unknown as Reflected[keyof Reflected]['handle'] }),
  });
  return Object.fromEntries(VERSIONS.map((version, at) => [version, added[at]!])) as Reflected;
}

function isKnown(call: ReflectionCall, identity: RpcIdentity): boolean {
  try {
    authenticate(call, identity);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') return false;
    throw error;
  }
}
