import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@invoicing/events';
import { tempFolder } from '@invoicing/testing';

const ROOT = resolve(__dirname, '../../..');
const READY_TIMEOUT_MS = 60_000;

/** The built platform, started as an operator starts it, on a free port and in a folder of its own. */
export class RunningPlatform {
  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly child: ChildProcess,
    private readonly removeFolder: (() => void) | undefined,
  ) {}

  /** Starts in a fresh folder, or again in `dataDir`. */
  static async start(options: { dataDir?: string; env?: NodeJS.ProcessEnv } = {}): Promise<RunningPlatform> {
    const folder = options.dataDir === undefined ? tempFolder() : undefined;
    const dataDir = options.dataDir ?? folder!.path;
    const port = await freePort();
    const env = {
      ...process.env,
      GATEWAY_PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DEADLINE_SCALE: process.env['TIME_SCALE'] ?? '1',
      ...options.env,
    };
    const child = spawn(process.execPath, [join(ROOT, 'dist/platform/main.js')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const ready = new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the platform stopped with code ${code}: ${output}`)));
      child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stdout!.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (/^ready http/m.test(output)) resolve();
      });
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the platform is not ready: ${output}`)), READY_TIMEOUT_MS);
    });
    await Promise.race([ready, late]).finally(() => clearTimeout(timer));
    return new RunningPlatform(`http://127.0.0.1:${port}`, dataDir, child, folder?.remove);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** `npm run admin -- …args --json` */
  async admin<T = Record<string, string>>(...args: string[]): Promise<T> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'dist/admin/main.js'), ...args, '--json'],
      {
        env: { ...process.env, DATA_DIR: this.dataDir },
      },
    );
    return JSON.parse(stdout) as T;
  }

  state(): { pid: number; addresses: Record<string, string>; tokens: Record<string, string> } {
    return JSON.parse(readFileSync(join(this.dataDir, 'platform.json'), 'utf8'));
  }

  /** SIGTERM and wait; the folder stays. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  /** Stops and removes the folder. */
  async close(): Promise<void> {
    await this.stop();
    this.removeFolder?.();
  }
}
