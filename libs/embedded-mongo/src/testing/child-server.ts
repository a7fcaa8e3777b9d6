import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface Started {
  uri?: string;
  openMs?: number;
  error?: string;
}

/** Bundles the child's program once; `folder` must be one that is cleaned up. */
export async function buildChild(folder: string): Promise<string> {
  const outfile = join(folder, 'serve-child.js');
  await build({
    entryPoints: [join(__dirname, 'serve-child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    external: ['lmdb'],
    logLevel: 'error',
  });
  return outfile;
}

/** The store in a process of its own. */
export class ChildServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly started: Started,
  ) {}

  /** `maxFileKiB`: files cannot grow beyond, as if the disk were full. */
  static async start(
    program: string,
    data: string,
    { maxFileKiB }: { maxFileKiB?: number } = {},
  ): Promise<ChildServer> {
    const env = { ...process.env, NODE_PATH: join(__dirname, '../../../../node_modules') };
    const limit = maxFileKiB === undefined ? '' : `ulimit -S -f ${maxFileKiB}; `;
    const script = `${limit}exec "$0" "$@"`;
    const child = spawn('bash', ['-c', script, process.execPath, program, data], {
      env,
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    const [started] = (await once(child, 'message')) as [Started];
    return new ChildServer(child, started);
  }

  get uri(): string {
    return this.started.uri!;
  }

  /** Somebody made room on the disk. */
  freeDisk(): void {
    execFileSync('prlimit', ['--pid', String(this.child.pid), '--fsize=unlimited']);
  }

  /** As a power switch would: nothing gets to run. */
  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
