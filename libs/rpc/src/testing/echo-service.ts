import { createLogger } from '@invoicing/telemetry';
import { identities, type Identity, type ServiceAccess } from '../access';
import { newCallContext, type CallContext } from '../call-context';
import { hashServiceToken, type RpcIdentity } from '../credentials';
import { openChannel, type RpcChannel } from '../rpc-client';
import { bindService, serveRpc, type Handlers, type RpcServer, type RpcServerOptions } from '../rpc-server';
import type { MethodDefinition } from '../service-definition';

// A service as ts-proto would describe it, with JSON for messages: specs need no generated contract.

export interface Message {
  readonly text: string;
  readonly organizationId?: string;
}

const encode = (value: Message): Buffer => Buffer.from(JSON.stringify(value));
const decode = (bytes: Buffer): Message => JSON.parse(bytes.toString()) as Message;
const method = <const Stream extends boolean>(
  name: string,
  responseStream: Stream,
): MethodDefinition<Message, Message> & { responseStream: Stream } => ({
  path: `/test.Echo/${name}`,
  requestStream: false,
  responseStream,
  requestSerialize: encode,
  requestDeserialize: decode,
  responseSerialize: encode,
  responseDeserialize: decode,
});

export const echoDefinition = {
  say: method('Say', false),
  grant: method('Grant', false),
  count: method('Count', true),
  gather: { ...method('Gather', false), requestStream: true as const },
};
export type EchoHandlers = Handlers<typeof echoDefinition>;

export const identityOf = (name: string): RpcIdentity => ({
  token: `token-${name}`,
  tokenHashes: new Map(identities.map((each) => [each, hashServiceToken(`token-${each}`)])),
});

export const call = (options: Partial<CallContext> = {}, timeoutMs = 5_000): CallContext =>
  newCallContext(timeoutMs, options);

const SPEAKERS: readonly Identity[] = ['billing', 'gateway', 'admin', 'application'];

/** `grant` is open to platform-billing only; `say` is what owners do. */
const echoAccess = {
  say: { callers: SPEAKERS, action: 'settings.write' },
  grant: { callers: ['platform-billing'] },
  count: { callers: SPEAKERS },
  gather: { callers: SPEAKERS, action: 'settings.write' },
} satisfies ServiceAccess<typeof echoDefinition>;

/** An echo server, and what closes it and its channels. */
export async function startEcho(handlers: Partial<EchoHandlers>, options: Partial<RpcServerOptions> = {}) {
  const echo: EchoHandlers = {
    say: async (request) => request,
    grant: async (request) => request,
    count: async function* () {
      yield { text: '1' };
    },
    gather: async (requests) => {
      const texts: string[] = [];
      for await (const { text } of requests) texts.push(text);
      return { text: texts.join() };
    },
    ...handlers,
  };
  const server: RpcServer = await serveRpc({
    host: '127.0.0.1',
    port: 0,
    services: [bindService(echoDefinition, echo, echoAccess)],
    identity: identityOf('catalog'),
    log: createLogger('test', 'silent'),
    isHealthy: () => true,
    ...options,
  });
  const channels: RpcChannel[] = [];
  return {
    port: server.port,
    server,
    as: (identity: RpcIdentity) => {
      const channel = openChannel(`127.0.0.1:${server.port}`, identity);
      channels.push(channel);
      return channel.client(echoDefinition);
    },
    close: async () => {
      for (const channel of channels) channel.close();
      await server.close();
    },
  };
}
