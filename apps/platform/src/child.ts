import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { NODE_FLAGS } from '@invoicing/service';

export interface ChildOptions {
  readonly name: string;
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly say: (message: string) => void;
}

const RESTART_MS = 300;
const KILL_AFTER_MS = 8_000;

/**
 * One process of the platform. It ends with us: it holds an IPC channel, and stops when that closes. Its output goes to a file.
 * Once it was ready, a crash restarts it; before that, a crash fails `ready`.
 */
export class Child {
  readonly ready: Promise<void>;
  private process: ChildProcess;
  private stopping = false;
  private wasReady = false;

  constructor(private readonly options: ChildOptions) {
    this.process = this.launch();
    this.ready = this.firstReady();
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  async close(): Promise<void> {
    this.stopping = true;
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), KILL_AFTER_MS);
    await once(this.process, 'exit');
    clearTimeout(timer);
  }

  private launch(): ChildProcess {
    const log = openSync(this.options.logFile, 'a');
    const child = fork(this.options.script, [], {
      env: this.options.env,
      // A process group of its own: Ctrl-C reaches us alone, and we stop the parts in order.
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
      execArgv: [...NODE_FLAGS],
    });
    closeSync(log);
    child.on('exit', (code, signal) => this.exited(code, signal));
    return child;
  }

  private firstReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.process.once('message', () => {
        this.wasReady = true;
        resolve();
      });
      this.process.once('exit', () => {
        if (!this.wasReady && !this.stopping)
          reject(new Error(`${this.options.name} did not start: ${this.lastWords()}`));
      });
    });
  }

  private exited(code: number | null, signal: string | null): void {
    if (this.stopping || !this.wasReady) return;
    this.options.say(`${this.options.name} stopped (${signal ?? `code ${code}`}); starting it again`);
    setTimeout(() => {
      if (!this.stopping) this.process = this.launch();
    }, RESTART_MS);
  }

  private lastWords(): string {
    const lines = readFileSync(this.options.logFile, 'utf8').trim().split('\n');
    const withoutStack = lines.filter((line) => !/^\s+at /.test(line));
    return withoutStack.slice(-5).join('\n');
  }
}
