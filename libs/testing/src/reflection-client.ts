import {
  create,
  createFileRegistry,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
  type DescMethod,
  type FileRegistry,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { Client, credentials, loadPackageDefinition, type ClientDuplexStream, type Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

interface Answer {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Uint8Array[] };
  readonly errorResponse?: { readonly errorMessage: string };
}
interface Stub extends Client {
  ServerReflectionInfo: (metadata: Metadata) => ClientDuplexStream<object, Answer>;
}
type Version = 'v1' | 'v1alpha';

/** A client that knows nothing of the contract but what server reflection tells it, as grpcurl does. */
export class ReflectionClient {
  private readonly stub: Stub;

  constructor(
    private readonly address: string,
    private readonly metadata: Metadata,
    version: Version = 'v1',
  ) {
    const proto = require.resolve(`@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`);
    const root = loadPackageDefinition(loadSync(proto)) as unknown as {
      grpc: { reflection: Record<Version, { ServerReflection: new (...args: unknown[]) => Stub }> };
    };
    this.stub = new root.grpc.reflection[version].ServerReflection(address, credentials.createInsecure());
  }

  /** Full names of the services. */
  async services(): Promise<string[]> {
    const { listServicesResponse } = await this.ask({ listServices: '*' });
    return listServicesResponse!.service.map(({ name }) => name);
  }

  /** Everything that a service or message stands on. Throws when a type cannot be resolved. */
  async registryOf(symbol: string): Promise<FileRegistry> {
    const files = new Map<string, FileDescriptorProto>();
    const take = async (question: object): Promise<void> => {
      const { fileDescriptorResponse } = await this.ask(question);
      for (const bytes of fileDescriptorResponse!.fileDescriptorProto) {
        const file = fromBinary(FileDescriptorProtoSchema, bytes);
        files.set(file.name, file);
      }
      const missing = [...files.values()].flatMap(({ dependency }) => dependency).find((name) => !files.has(name));
      if (missing !== undefined) await take({ fileByFilename: missing });
    };
    await take({ fileContainingSymbol: symbol });
    return createFileRegistry(create(FileDescriptorSetSchema, { file: inOrder(files) }));
  }

  /** Calls `package.Service/Method` with a request in proto JSON; answers in proto JSON. */
  async call(path: string, request: JsonValue, timeoutMs = 10_000): Promise<JsonValue> {
    const [service = '', name = ''] = path.split('/');
    const registry = await this.registryOf(service);
    const method = registry.getService(service)?.methods.find((each) => each.name === name);
    if (!method) throw new Error(`${path} is not there`);
    return this.invoke(method, request, registry, timeoutMs);
  }

  close(): void {
    this.stub.close();
  }

  private invoke(
    method: DescMethod,
    request: JsonValue,
    registry: FileRegistry,
    timeoutMs: number,
  ): Promise<JsonValue> {
    const client = new Client(this.address, credentials.createInsecure());
    return new Promise<JsonValue>((resolve, reject) =>
      client.makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (message: Message) => Buffer.from(toBinary(method.input, message)),
        (bytes: Buffer) => fromBinary(method.output, bytes),
        fromJson(method.input, request, { registry }),
        this.metadata,
        { deadline: Date.now() + timeoutMs },
        (error, answer) => (error ? reject(error) : resolve(toJson(method.output, answer!, { registry }))),
      ),
    ).finally(() => client.close());
  }

  private ask(question: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stream = this.stub.ServerReflectionInfo(this.metadata);
      stream.on('error', reject);
      stream.on('data', (answer: Answer) => {
        if (answer.errorResponse) reject(new Error(answer.errorResponse.errorMessage));
        else resolve(answer);
        stream.end();
      });
      stream.write(question);
    });
  }
}

/** Imports before what imports them. */
function inOrder(files: ReadonlyMap<string, FileDescriptorProto>): FileDescriptorProto[] {
  const sorted = new Set<FileDescriptorProto>();
  const visit = (name: string): void => {
    const file = files.get(name);
    if (!file || sorted.has(file)) return;
    file.dependency.forEach(visit);
    sorted.add(file);
  };
  [...files.keys()].forEach(visit);
  return [...sorted];
}
