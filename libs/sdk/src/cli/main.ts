import { parseArgs } from 'node:util';
import { InvoicingClient } from '../invoicing-client';
import { follow, type Access } from './follow';
import { listen, newSecret } from './listen';
import { triggers } from './trigger';

const HELP = `invoicing: for integrators, with the key of a test organisation.

  invoicing listen --forward-to URL [--secret whsec_…]   webhooks of the organisation come to this machine
  invoicing trigger EVENT                                makes an event happen, one of those below
  invoicing logs --follow                                what programs ask of the API, and what they are answered

  --api-key KEY     default INVOICING_API_KEY; with the scope sandbox:read, and for trigger sandbox:write and those of what it does
  --base-url URL    default INVOICING_BASE_URL

Events:
${Object.keys(triggers)
  .map((event) => `  ${event}`)
  .join('\n')}`;

interface Logged {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly durationMs: number;
  readonly requestId: string;
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const say = (line: string): void => void process.stdout.write(`${line}\n`);

run(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);

async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...{ 'api-key': text, 'base-url': text, 'forward-to': text, secret: text },
      follow: { type: 'boolean', short: 'f' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [verb, event] = positionals;
  if (values.help || verb === undefined) return say(HELP);
  const access = accessOf(values['api-key'], values['base-url']);
  switch (verb) {
    case 'listen': {
      const forwardTo = values['forward-to'];
      if (!forwardTo || !URL.canParse(forwardTo)) throw new Error('listen needs --forward-to URL');
      const secret = values.secret ?? process.env['INVOICING_WEBHOOK_SECRET'] ?? newSecret();
      return listen(access, { forwardTo, secret, signal: stop.signal, say });
    }
    case 'trigger': {
      const trigger = triggers[event ?? ''];
      if (!trigger) throw new Error(`trigger needs one of ${Object.keys(triggers).join(', ')}`);
      return say(`${event}: ${await trigger(new InvoicingClient(access))}`);
    }
    case 'logs':
      for await (const each of follow(access, '/api/v1/sandbox/requests', stop.signal)) say(lineOf(each as Logged));
      return;
    default:
      throw new Error(`there is no ${verb}\n\n${HELP}`);
  }
}

function lineOf({ at, method, path, status, code, durationMs, requestId }: Logged): string {
  return [at, method, path, status, code || '-', `${Math.round(durationMs)} ms`, requestId].join('  ');
}

/** Throws a sentence for what cannot be right. */
function accessOf(apiKey = process.env['INVOICING_API_KEY'], baseUrl = process.env['INVOICING_BASE_URL']): Access {
  if (!apiKey) throw new Error('there is no API key: pass --api-key, or set INVOICING_API_KEY');
  if (!apiKey.startsWith('ik_test_')) throw new Error('the key must be of a test organisation (ik_test_…)');
  if (!baseUrl) throw new Error('there is no address: pass --base-url, or set INVOICING_BASE_URL');
  return { apiKey, baseUrl: baseUrl.replace(/\/+$/, '') };
}
