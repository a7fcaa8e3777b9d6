import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { demoSeller } from '../demo-data';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface QuickstartFlags extends Record<string, unknown> {
  name: string;
  url: string;
  events: string[];
}

/** What an integrator needs to begin. */
interface Environment {
  readonly organization: string;
  readonly key: string;
  readonly baseUrl: string;
  readonly webhook: { readonly id: string; readonly url: string; readonly secret: string };
}

const create = () => ({ ...operatorCall(60_000), operationId: randomUUID() });

/** `quickstart`: a test organisation with a key, the sandbox provider and a webhook endpoint; prints an environment to paste. */
export function addQuickstart(program: Command): void {
  verb<QuickstartFlags, Environment>(
    program,
    'quickstart',
    'a test organisation with key, provider and webhook endpoint; prints an environment to paste (eval "$(admin quickstart)")',
    async ({ organizations, keys, providers, webhooks, gatewayUrl }, { name, url, events }) => {
      const { id: organizationId } = await organizations.createOrganization(
        { details: { ...demoSeller, name }, plan: Plan.STANDARD, mode: Mode.TEST },
        create(),
      );
      const key = { organizationId, profileId: undefined, scopes: ['all'], expiresAt: undefined, platform: false };
      const { secret: apiKey } = await keys.createKey(key, create());
      const sandbox = { organizationId, provider: 'sandbox', apiKey: undefined, baseUrl: undefined };
      await providers.connectProvider(sandbox, create());
      const { endpoint, secret } = await webhooks.createEndpoint({ organizationId, url, events }, create());
      const webhook = { id: endpoint!.id, url, secret };
      return { organization: organizationId, key: apiKey, baseUrl: gatewayUrl, webhook };
    },
    asEnvironment,
  )
    .option('--name <name>', 'of the organisation', 'Bakkerij De Zon')
    .option('--url <url>', 'where your application takes webhooks', 'http://127.0.0.1:4242/hooks')
    .option('--events <list>', 'that it takes', (text) => text.split(','), ['invoice.paid']);
}

const asEnvironment = ({ organization, key, baseUrl, webhook }: Environment): string =>
  Object.entries({
    INVOICING_BASE_URL: baseUrl,
    INVOICING_API_KEY: key,
    INVOICING_WEBHOOK_SECRET: webhook.secret,
    INVOICING_ORGANIZATION: organization,
    INVOICING_WEBHOOK: webhook.id,
    // The key stays in the browser: what is behind the # is not sent.
    INVOICING_REFERENCE: `${baseUrl}/docs#key=${key}`,
  })
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n');
