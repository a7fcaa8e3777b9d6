import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** How one process of the platform is run. */
export interface PartOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Asked at each start: what is set by then. */
  readonly env: () => NodeJS.ProcessEnv;
  readonly logFile: string;
}

const RESTART_MS = 300;

/** One process of the platform. Whatever ends it, it is started again, as an orchestrator does, unless it is kept down. */
export class Part {
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isKept = false;
  /** How often it has ended. */
  ends = 0;

  constructor(private readonly options: PartOptions) {
    this.start();
  }

  get name(): string {
    return this.options.name;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** False when there is no such process at this moment. */
  signal(signal: NodeJS.Signals): boolean {
    return this.child?.kill(signal) ?? false;
  }

  /** Ends it and resolves once it is gone; it stays down until `start`. */
  async keepDown(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.isKept = true;
    clearTimeout(this.timer);
    const { child } = this;
    if (!child) return;
    // A process that is stopped in its tracks takes a signal only when it goes on.
    child.kill('SIGCONT');
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  start(): void {
    this.isKept = false;
    const { command, args, env, logFile } = this.options;
    const log = openSync(logFile, 'a');
    // It ends with us, however we end: our own programs when their channel closes, others by the kernel.
    const child =
      command === process.execPath
        ? spawn(command, [...args], { env: env(), stdio: ['ignore', log, log, 'ipc'] })
        : spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], { env: env(), stdio: ['ignore', log, log] });
    closeSync(log);
    this.child = child;
    child.once('exit', () => {
      this.ends++;
      this.child = undefined;
      if (!this.isKept) this.timer = setTimeout(() => this.start(), RESTART_MS);
    });
  }
}
