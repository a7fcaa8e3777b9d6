import {
  ScalarType,
  createFileRegistry,
  fromBinary,
  toJson,
  type DescField,
  type DescMessage,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Client, Metadata, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { descriptorSet } from '@invoicing/contracts/descriptor-set';
import { methodsOfTable } from './access-table';
import { seededRandom } from './seeded-random';
import { testIdentity } from './test-identity';

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet));
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const AT_ONCE = 8;
const IDS_KEPT = 200;
const TEXTS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  '1.5',
  '2026-03-01',
  '2026-02-30',
  'NL',
  'EUR',
  'a@b.nl',
  'https://x.nl/',
  '\0',
  '__proto__',
];
const ADVERSE = [
  '😀'.repeat(50),
  'x'.repeat(5_000),
  '\ud800',
  '$where',
  '../../etc/passwd',
  '<script>',
  'NaN',
  '1e999',
  '\u202e',
];
const NUMBERS = [0, 1, -1, 2, 100, 2100, 10_000, 2 ** 31 - 1, -(2 ** 31)];
const LONGS = [...NUMBERS.map(BigInt), 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)];
// Said of what a caller sent, or of a part that is not there. INTERNAL, UNKNOWN and the like are faults of ours.
const FINE: readonly number[] = [
  status.OK,
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.PERMISSION_DENIED,
  status.FAILED_PRECONDITION,
  status.ABORTED,
  status.RESOURCE_EXHAUSTED,
  status.UNAVAILABLE,
];

interface RpcFuzz {
  /** Each with the request in base64; one of a kind. */
  readonly faults: string[];
  /** How often each gRPC status came. */
  readonly statuses: Record<string, number>;
}

/**
 * Calls the methods of a package that listens on this machine's `port` with messages made from the descriptors, valid and adverse ones,
 * as callers that may; ids in answers are used again. The same seed makes the same messages as long as the answers are the same.
 */
export async function rpcFuzz(packageName: string, port: number, calls: number, seed: number): Promise<RpcFuzz> {
  const methods = methodsOfTable.filter(({ path }) => path.startsWith(`/${packageName}.`));
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const random = seededRandom(seed);
  const ids: string[] = ['0f8fad5b-d9cb-469f-a165-70867728950e'];
  const faults = new Map<string, string>();
  const statuses: Record<string, number> = {};

  const callOnce = async (): Promise<void> => {
    const { path, callers } = pick(methods, random);
    const [service = '', name = ''] = path.slice(1).split('/');
    const method = registry.getService(service)!.methods.find((each) => each.name === name)!;
    const bytes = Buffer.from(messageOf(method.input, { random, ids }, 0));
    const metadata = new Metadata();
    // The application calls for people, and may nothing by itself.
    const ownCallers = callers.filter((each) => each !== 'application');
    const caller = pick(ownCallers.length > 0 ? ownCallers : callers, random);
    metadata.set('authorization', `Bearer ${testIdentity(caller).token}`);
    const { error, answers } = await answerOf(client, path, method.methodKind === 'server_streaming', bytes, metadata);
    const code = error?.code ?? status.OK;
    const word = status[code] ?? String(code);
    statuses[word] = (statuses[word] ?? 0) + 1;
    if (!FINE.includes(code)) faults.set(`${path} ${word} ${error?.details}`, bytes.toString('base64'));
    for (const answer of answers)
      for (const id of JSON.stringify(toJson(method.output, fromBinary(method.output, answer))).match(UUID) ?? [])
        ids[ids.length < IDS_KEPT ? ids.length : Math.floor(random() * IDS_KEPT)] = id;
  };
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await callOnce();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  client.close();
  return { faults: [...faults].map((each) => each.join(' ')), statuses };
}

function answerOf(client: Client, path: string, streams: boolean, request: Buffer, metadata: Metadata) {
  const same = (bytes: Buffer): Buffer => bytes;
  const options = { deadline: Date.now() + 60_000 };
  return new Promise<{ error: ServiceError | null; answers: Buffer[] }>((resolve) => {
    if (!streams) {
      client.makeUnaryRequest(path, same, same, request, metadata, options, (error, answer) =>
        resolve({ error, answers: answer ? [answer] : [] }),
      );
      return;
    }
    const stream = client.makeServerStreamRequest(path, same, same, request, metadata, options);
    stream.on('data', () => undefined);
    stream.on('error', (error: ServiceError) => resolve({ error, answers: [] }));
    stream.on('end', () => resolve({ error: null, answers: [] }));
  });
}

interface Source {
  readonly random: () => number;
  readonly ids: readonly string[];
}

function messageOf(message: DescMessage, from: Source, depth: number): Uint8Array {
  const writer = new BinaryWriter();
  if (depth > 4) return writer.finish();
  for (const field of message.fields) {
    if (from.random() < 0.25) continue;
    const many = field.fieldKind === 'list' || field.fieldKind === 'map';
    const times = many ? pick([0, 1, 1, 2, 5, 300], from.random) : 1;
    for (let each = 0; each < times; each++) writeField(writer, field, from, depth);
  }
  // What nobody knows is skipped.
  if (from.random() < 0.05) writer.tag(19_000, WireType.Varint).int32(1);
  return writer.finish();
}

function writeField(writer: BinaryWriter, field: DescField, from: Source, depth: number): void {
  const { number, message } = field;
  if (message) writer.tag(number, WireType.LengthDelimited).bytes(messageOf(message, from, depth + 1));
  else if (field.enum) writer.tag(number, WireType.Varint).int32(pick([0, 1, 2, 3, 99, -1], from.random));
  else writeScalar(writer, number, (field as { scalar?: ScalarType }).scalar, textOf(field, from), from.random);
}

function writeScalar(
  writer: BinaryWriter,
  number: number,
  type: ScalarType | undefined,
  text: string,
  random: () => number,
): void {
  if (type === ScalarType.STRING || type === ScalarType.BYTES)
    writer.tag(number, WireType.LengthDelimited).bytes(random() < 0.01 ? Buffer.from([0xff, 0xfe]) : Buffer.from(text));
  else if (type === ScalarType.BOOL) writer.tag(number, WireType.Varint).bool(random() < 0.5);
  else if (type === ScalarType.DOUBLE) writer.tag(number, WireType.Bit64).double(pick([0, 1.5, NaN, Infinity], random));
  else if (type === ScalarType.INT32) writer.tag(number, WireType.Varint).int32(pick(NUMBERS, random));
  else writer.tag(number, WireType.Varint).int64(pick(LONGS, random));
}

function textOf({ name }: DescField, { random, ids }: Source): string {
  if (/(^|_)id$/.test(name) && random() < 0.85) return pick(ids, random);
  return pick(random() < 0.8 ? TEXTS : ADVERSE, random);
}

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)]!;
