import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Api } from './api';
import { type RunningPlatform } from './running-platform';

interface Media {
  readonly example: Record<string, unknown>;
}

interface Documented {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content: Record<string, Media> }>;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
}

interface Reference {
  readonly paths: Record<string, Record<string, Documented>>;
  readonly components: { readonly schemas: Record<string, { properties: Record<string, { examples: string[] }> }> };
}

/** Runs what the reference shows as an integrator would paste it, in an organisation of its own that has what the examples name. */
export class ReferenceSamples {
  private constructor(
    private readonly document: Reference,
    private readonly real: (text: string) => string,
    private readonly envOf: (operation: Documented) => Record<string, string>,
    private readonly shop: string,
  ) {}

  /** `shop`: a folder where the SDK is installed. */
  static async of(platform: RunningPlatform, shop: string): Promise<ReferenceSamples> {
    const document = (await (await fetch(`${platform.url}/docs/openapi.json`)).json()) as Reference;
    const { organization, key } = await platform.admin('quickstart', '--name', 'Reference');
    const { key: platformKey } = await platform.admin('key', 'create', '--platform');
    const { profile } = await platform.admin<{ profile: { id: string } }>('org', 'show', organization!);
    const api = new Api(platform.url, key);
    const made = async (path: string, body: object): Promise<string> =>
      (await api.post<{ data: { id: string } }>(path, body)).body.data.id;
    const customerId = await made('/api/v1/customers', { name: 'Jan Jansen', email: 'jan@example.nl' });
    const lines = [{ description: 'Consultancy', unitPriceCents: 10_000 }];
    const ids: Record<string, string> = {
      Organization: organization!,
      Profile: profile.id,
      Customer: customerId,
      Invoice: await made('/api/v1/invoices', { customerId, lines, send: true }),
      Product: await made('/api/v1/products', { name: 'Consultancy', unitPriceCents: 10_000 }),
    };
    const exampleOf = (name: string): string => document.components.schemas[name]!.properties['id']!.examples[0]!;
    const real = (text: string): string =>
      Object.entries(ids).reduce((said, [name, id]) => said.replaceAll(exampleOf(name), id), text);
    const envOf = ({ tags }: Documented) => ({
      INVOICING_BASE_URL: platform.url,
      INVOICING_API_KEY: (tags.includes('Credits') ? platformKey : key)!,
    });
    return new ReferenceSamples(document, real, envOf, shop);
  }

  /** Every operation that has samples, those that create before those that list. */
  operations(): (readonly [path: string, method: string, Documented])[] {
    const all = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
    );
    const sampled = all.filter(([, , operation]) => operation['x-codeSamples']);
    return sampled.sort(([, one], [, other]) => other.localeCompare(one));
  }

  /** What a sample printed. Throws when it fails. */
  async run(operation: Documented, lang: string): Promise<string | undefined> {
    const sample = operation['x-codeSamples']!.find((each) => each.lang === lang);
    if (!sample) return undefined;
    const source = this.real(sample.source);
    const file = join(this.shop, `${operation.operationId}.mjs`);
    if (lang === 'TypeScript') writeFileSync(file, source);
    const [command, ...args] = lang === 'TypeScript' ? [process.execPath, file] : ['bash', '-euc', source];
    const env = { ...process.env, ...this.envOf(operation) };
    return (await promisify(execFile)(command!, args, { env, timeout: 30_000 })).stdout;
  }

  /** The example of a request, asked as a dry run. */
  async dryRun(path: string, operation: Documented): Promise<unknown> {
    const { INVOICING_BASE_URL: url, INVOICING_API_KEY: key } = this.envOf(operation);
    const body = JSON.parse(this.real(JSON.stringify(operation.requestBody!.content['application/json']!.example)));
    return (await new Api(url!, key).post(path, body, { 'dry-run': 'true' })).body;
  }

  /** How an answer differs from what is documented: from the schema, and in the fields that the example has. */
  faultsOf(
    [path, method, operation]: readonly [string, string, Documented],
    status: number,
    answer: unknown,
  ): string[] {
    const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, logger: false })).addSchema(
      this.document,
      'openapi',
    );
    const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema']
      .map((each) => String(each).replaceAll('~', '~0').replaceAll('/', '~1'))
      .join('/');
    const validate = ajv.getSchema(`openapi#/${pointer}`)!;
    const faults = validate(answer) ? [] : validate.errors!.map((each) => `${each.instancePath} ${each.message}`);
    const { example } = operation.responses[status]!.content['application/json']!;
    if (!example) return faults;
    const [said, shown] = [fieldsOf(answer), fieldsOf(example)];
    return said === shown ? faults : [...faults, `has ${said}, the example has ${shown}`];
  }
}

/** Names of the fields of an answer and of its (first) datum. */
function fieldsOf(answer: unknown): string {
  const { data, ...beside } = answer as { data: unknown };
  const first = (Array.isArray(data) ? data[0] : data) as object;
  return [...Object.keys(beside), ...Object.keys(first).map((name) => `data.${name}`)].sort().join(' ');
}
