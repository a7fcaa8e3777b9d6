import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { freePort } from '@invoicing/events';
import { RunningPlatform } from './running-platform';

// Does what docs/ tells people to do: every `sh` block (but those marked by-hand), page after page, in one shell. A `text` block right
// after it is what it must print, line by line, with … for anything. A `ts file=…` block is written to that file.

jest.setTimeout(120_000);

const ROOT = resolve(__dirname, '../../..');
const PAGES = ['quickstart', 'idempotency-and-errors', 'hosted-checkout', 'webhooks', 'operating', 'security', 'grpc'];
const BLOCK_TIMEOUT_MS = 60_000;

interface Block {
  readonly kind: 'sh' | 'ts';
  readonly text: string;
  readonly file?: string;
  readonly expected: string[];
}

function blocksOf(page: string): Block[] {
  const markdown = readFileSync(join(ROOT, `docs/${page}.md`), 'utf8');
  const blocks: Block[] = [];
  for (const [, info = '', text = ''] of markdown.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)) {
    const file = /^ts file=(\S+)$/.exec(info)?.[1];
    if (info === 'sh') blocks.push({ kind: 'sh', text, expected: [] });
    else if (file) blocks.push({ kind: 'ts', text, file, expected: [] });
    else if (info === 'text') blocks.at(-1)!.expected.push(...text.split('\n').filter(Boolean));
  }
  return blocks;
}

/** One bash for all pages: what a page defines is there for the next. Stops at the first command that fails. */
class Shell {
  private readonly process: ChildProcess;
  private output = '';

  constructor(env: NodeJS.ProcessEnv) {
    this.process = spawn('bash', ['-eu', '-o', 'pipefail'], { cwd: ROOT, env, stdio: 'pipe' });
    for (const stream of [this.process.stdout!, this.process.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  async run(command: string): Promise<string> {
    if (this.process.exitCode !== null) throw new Error('an earlier block failed');
    this.output = '';
    this.process.stdin!.write(`${command}\nprintf '\\n@@done\\n'\n`);
    for (const deadline = Date.now() + BLOCK_TIMEOUT_MS; Date.now() < deadline;) {
      if (this.output.endsWith('\n@@done\n')) return this.output.slice(0, -'\n@@done\n'.length);
      if (this.process.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`this failed:\n${command}\nit said:\n${this.output}`);
  }

  close(): void {
    this.process.kill('SIGKILL');
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
  platform = await RunningPlatform.start({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
  mkdirSync(join(platform.dataDir, 'shop'));
  const receiver = String(await freePort());
  here = (text) =>
    text
      .replaceAll('http://127.0.0.1:8080', platform.url)
      .replaceAll('127.0.0.1:4242', `127.0.0.1:${receiver}`)
      .replaceAll("listen(4242, '127.0.0.1')", `listen(${receiver}, '127.0.0.1')`)
      .replace(/(?<![\w/.])\.data\//g, `${platform.dataDir}/`);
  shell = new Shell({
    ...process.env,
    DATA_DIR: platform.dataDir,
    FORCE_COLOR: '0',
    npm_config_update_notifier: 'false',
  });
});

afterAll(async () => {
  shell?.close();
  await platform?.close();
});

describe.each(PAGES)('docs/%s.md', (page) => {
  const blocks = blocksOf(page);

  test('has something to run', () => expect(blocks.filter(({ kind }) => kind === 'sh').length).toBeGreaterThan(0));

  test.each(blocks.map((block) => [block.text.split('\n')[0], block] as const))('%s', async (_, block) => {
    if (block.file) {
      const file = here(block.file);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, here(block.text));
      return;
    }
    const output = await shell.run(here(block.text));
    for (const line of block.expected) expect(output).toMatch(patternOf(here(line)));
  });
});
