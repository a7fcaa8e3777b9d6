import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { freePort } from '@invoicing/events';
import { launchOptions, waitFor } from '@invoicing/testing';
import { chromium } from 'playwright-core';
import { pathWithGrpcurl } from './grpcurl-on-path';
import { ReferenceSamples } from './reference-samples';
import { RunningPlatform } from './running-platform';

// Does what the README and docs/ tell people to do: every `sh` block (but those marked by-hand), page after page, in one shell. A `text` block
// after it is what it must print, line by line, with … for anything; `text by-payer` is what it prints once a payer has paid in a browser at the
// `url` that was printed. A `ts file=…` block is written to that file.

jest.setTimeout(120_000);

const ROOT = resolve(__dirname, '../../..');
const GUIDES = [
  'quickstart',
  'idempotency-and-errors',
  'errors',
  'hosted-checkout',
  'after-issuing',
  'webhooks',
  'arriving',
  'bank-and-reminders',
  'operating',
  'security',
  'closing-the-books',
  'retention',
  'grpc',
  'testing',
];
const PAGES = ['README.md', ...GUIDES.map((guide) => `docs/${guide}.md`)];
const BLOCK_TIMEOUT_MS = 60_000;
const OUTPUT_TIMEOUT_MS = 15_000;

interface Block {
  readonly kind: 'sh' | 'text' | 'payer' | 'file';
  readonly text: string;
  readonly file?: string;
}

function blocksOf(page: string): Block[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8');
  return [...markdown.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].flatMap(([, info = '', text = '']): Block[] => {
    if (info === 'sh' || info === 'text') return [{ kind: info, text }];
    if (info === 'text by-payer')
      return [
        { kind: 'payer', text: '' },
        { kind: 'text', text },
      ];
    const file = /^ts file=(\S+)$/.exec(info)?.[1];
    return file ? [{ kind: 'file', text, file }] : [];
  });
}

/** One bash for all pages: what a page defines is there for the next. Stops at the first command that fails. */
class Shell {
  private readonly process: ChildProcess;
  /** What the last block and everything in the background have said since it began. */
  output = '';

  constructor(env: NodeJS.ProcessEnv) {
    // A process group of its own, which ends with it: blocks leave processes in the background.
    this.process = spawn('bash', ['-eu', '-o', 'pipefail'], { cwd: ROOT, env, stdio: 'pipe', detached: true });
    for (const stream of [this.process.stdout!, this.process.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  async run(command: string): Promise<void> {
    if (this.process.exitCode !== null) throw new Error('an earlier block failed');
    this.output = '';
    this.process.stdin!.write(`${command}\nprintf '\\n@@done\\n'\n`);
    for (const deadline = Date.now() + BLOCK_TIMEOUT_MS; Date.now() < deadline;) {
      if (this.output.includes('\n@@done\n')) return;
      if (this.process.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`this failed:\n${command}\nit said:\n${this.output}`);
  }

  close(): void {
    process.kill(-this.process.pid!, 'SIGKILL');
  }
}

async function payInBrowser(url: string): Promise<void> {
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage({ locale: 'en-GB' });
    await page.goto(url);
    await page.getByText('iDEAL').click();
    await page.fill('input[name=email]', 'sanne@example.nl');
    await page.fill('input[name=name]', 'Sanne de Wit');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL(/\/c\//);
  } finally {
    await browser.close();
  }
}

const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}\\s*$`,
    'im',
  );

let platform: RunningPlatform;
let shell: Shell;
let here: (text: string) => string;

beforeAll(async () => {
  platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '1000', PAGE_RATE_LIMIT_PER_MINUTE: '1000', BOUNCE_HOOK_SECRET: 'change-me' },
  });
  const receiver = String(await freePort());
  here = (text) =>
    text
      .replaceAll('http://127.0.0.1:8080', platform.url)
      .replaceAll('127.0.0.1:4242', `127.0.0.1:${receiver}`)
      .replaceAll("listen(4242, '127.0.0.1'", `listen(${receiver}, '127.0.0.1'`)
      .replace(/(?<![\w/.])\.data\//g, `${platform.dataDir}/`);
  shell = new Shell({
    ...process.env,
    PATH: pathWithGrpcurl(ROOT, join(platform.dataDir, 'bin')),
    DATA_DIR: platform.dataDir,
    FORCE_COLOR: '0',
    npm_config_update_notifier: 'false',
  });
});

afterAll(async () => {
  shell?.close();
  await platform?.close();
});

describe.each(PAGES)('%s', (page) => {
  const blocks = blocksOf(page);

  test('has something to run', () => expect(blocks.some(({ kind }) => kind === 'sh')).toBe(true));

  test.each(blocks.map((block) => [`${block.kind}: ${block.text.split('\n')[0]}`, block] as const))(
    '%s',
    async (_, { kind, text, file }) => {
      if (kind === 'sh') await shell.run(here(text));
      if (kind === 'payer') await payInBrowser(/"url":"([^"]+)"/.exec(shell.output)![1]!);
      if (kind === 'file') {
        const path = here(file!);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, here(text));
      }
      if (kind === 'text')
        for (const line of text.split('\n').filter(Boolean)) {
          const pattern = patternOf(here(line));
          // What runs in the background may say it a little later.
          await waitFor(() => pattern.test(shell.output), OUTPUT_TIMEOUT_MS).catch(() => undefined);
          expect(shell.output).toMatch(pattern);
        }
    },
  );
});

describe('the reference', () => {
  test('every sample runs as it is pasted, and is answered as the reference says; dry runs of the examples are, too', async () => {
    // Where the README has installed the SDK.
    const samples = await ReferenceSamples.of(platform, join(platform.dataDir, 'shop'));
    const all = samples.operations();
    expect(all.length).toBeGreaterThan(14);
    for (const operation of all) {
      const [path, method, { operationId, requestBody }] = operation;
      const answer: unknown = JSON.parse((await samples.run(operation[2], 'Shell'))!);
      const faults = samples.faultsOf(operation, requestBody ? 201 : 200, answer);
      expect([operationId, faults]).toEqual([operationId, []]);
      await samples.run(operation[2], 'TypeScript');
      if (method !== 'post') continue;
      const tried = samples.faultsOf(operation, 200, await samples.dryRun(path, operation[2]));
      expect([operationId, 'dry run', tried]).toEqual([operationId, 'dry run', []]);
    }
  });
});
