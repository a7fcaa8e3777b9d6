import { parseArgs } from 'node:util';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import type { JsonValue } from '@bufbuild/protobuf';
import { ReflectionClient } from '@invoicing/testing';

// Stands in for grpcurl (github.com/fullstorydev/grpcurl) on machines that have none: the part of it that docs/grpc.md uses, with the
// same arguments and, as far as the page shows it, the same words.

const { values, positionals } = parseArgs({
  // grpcurl takes Go's flags: one dash, whole words.
  args: process.argv.slice(2).map((each) => each.replace(/^-(plaintext|max-time)$/, '--$1')),
  allowPositionals: true,
  options: {
    plaintext: { type: 'boolean' },
    'max-time': { type: 'string', default: '10' },
    H: { type: 'string', short: 'H', multiple: true, default: [] },
    d: { type: 'string', short: 'd', default: '{}' },
  },
});
const metadata = new Metadata();
for (const header of values.H) metadata.set(...(header.split(/:\s*(.*)/s, 2) as [string, string]));

const [address = '', verb = '', symbol = ''] = positionals;
const client = new ReflectionClient(address, metadata);
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

async function describe(): Promise<void> {
  const service = (await client.registryOf(symbol)).getService(symbol);
  if (!service) throw new Error(`${symbol} is no service`);
  say(`${symbol} is a service:\nservice ${service.name} {`);
  for (const { name, input, output } of service.methods)
    say(`  rpc ${name} ( .${input.typeName} ) returns ( .${output.typeName} );`);
  say('}');
}

async function run(): Promise<void> {
  if (verb === 'list') say((await client.services()).sort().join('\n'));
  else if (verb === 'describe') await describe();
  else {
    const request = JSON.parse(values.d) as JsonValue;
    say(JSON.stringify(await client.call(verb, request, Number(values['max-time']) * 1_000), null, 2));
  }
}

const words = (name: string): string =>
  name.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

run()
  .catch((error: ServiceError) => {
    const code = words(status[error.code] ?? 'UNKNOWN');
    process.stderr.write(`ERROR:\n  Code: ${code}\n  Message: ${error.details ?? error.message}\n`);
    process.exitCode = 64;
  })
  .finally(() => client.close());
