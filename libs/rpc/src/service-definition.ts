/** A method as ts-proto describes it (`outputServices=grpc-js`). */
export interface MethodDefinition<Request, Response> {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (value: Response) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** A service as ts-proto generates it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- only `any` lets every generated service fit.
export type ServiceDefinition = Record<string, MethodDefinition<any, any>>;

/** Request of a method. */
export type RequestOf<M> = M extends { requestSerialize: (value: infer R) => Buffer } ? R : never;
/** Response of a method. */
export type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer R } ? R : never;
