import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { FONT_FILES, PROCESS_FILE, TEMPLATES } from './sheet-assets';

/** A file that goes along in the PDF (ISO 32000-2, 14.13). */
export interface SheetFile {
  readonly name: string;
  readonly mimeType: string;
  readonly relationship: 'alternative' | 'source' | 'data' | 'supplement';
  readonly description: string;
  readonly content: Uint8Array;
}

/** One sheet to be set. */
export interface SheetJob {
  readonly format: 'pdf' | 'svg';
  /** A `SheetView` as JSON. */
  readonly view: string;
  /** PNG or JPEG; left out when it is no such image. */
  readonly logo: Uint8Array | null;
  readonly files: readonly SheetFile[];
  /** Seconds since 1970: the only time that the result shows. */
  readonly createdAt: number;
}

export interface SetSheet {
  readonly content: Uint8Array;
  readonly pages: number;
  /** CPU time that it took, in milliseconds. */
  readonly cpuMs: number;
}

export interface ProcessLimits {
  readonly timeoutMs: number;
  /** Resident bytes: above the first it is ended at once, above the second after the sheet in hand. */
  readonly maxBytes: number;
  readonly retireBytes: number;
}

/** What the longest document that the API takes (1 MiB of descriptions) needs, and little more. */
export const PROCESS_LIMITS: ProcessLimits = { timeoutMs: 60_000, maxBytes: 2 ** 30, retireBytes: 256 * 2 ** 20 };

/** The process ended, or was ended, before it answered; another one may do better. */
export class ProcessLost extends Error {}

interface Answer {
  readonly id: number;
  readonly rss: number;
  readonly cpuMs: number;
  readonly error?: string;
  readonly content?: Uint8Array;
  readonly pages?: number;
}

const WATCH_MS = 100;
const PAGE_BYTES = 4_096;

/** One compiler in a process of its own, for one sheet at a time. It keeps this process alive only while it sets one. */
export class TypstProcess {
  private readonly child: ChildProcess;
  private lost: Error | undefined;
  private lastId = 0;

  constructor(private readonly limits: ProcessLimits = PROCESS_LIMITS) {
    this.child = fork(PROCESS_FILE, [], {
      serialization: 'advanced',
      execArgv: [],
      // Nothing of ours: what it sets, strangers wrote. One thread each keeps its memory and its share of the machine small.
      env: { RAYON_NUM_THREADS: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('error', (error) => (this.lost ??= error));
    this.child.on('exit', (code, signal) => (this.lost ??= new ProcessLost(`the compiler ended (${signal ?? code})`)));
    this.child.send({ open: { fonts: FONT_FILES, templates: TEMPLATES } }, () => undefined);
    this.release();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether it can be asked for another sheet. */
  get isUsable(): boolean {
    return this.lost === undefined;
  }

  /** Sets a sheet. Throws `ProcessLost` when the process ends meanwhile, an `Error` when this sheet cannot be set. */
  async set(job: SheetJob): Promise<SetSheet> {
    this.child.ref();
    this.child.channel?.ref();
    const watch = setInterval(() => this.watch(), WATCH_MS);
    const late = setTimeout(() => this.close('the compiler took too long'), this.limits.timeoutMs);
    try {
      const { error, content, pages, cpuMs, rss } = await this.ask(job);
      if (rss > this.limits.retireBytes) this.close('the compiler has grown');
      if (!content) throw new Error(`the sheet cannot be set: ${error}`);
      return { content, pages: pages!, cpuMs };
    } finally {
      clearInterval(watch);
      clearTimeout(late);
      this.release();
    }
  }

  close(reason = 'the compiler was closed'): void {
    this.lost ??= new ProcessLost(reason);
    this.child.kill('SIGKILL');
  }

  private ask(job: SheetJob): Promise<Answer> {
    const id = ++this.lastId;
    return new Promise<Answer>((resolve, reject) => {
      const settle = (answer?: Answer): void => {
        if (answer && answer.id !== id) return;
        this.child.off('message', settle);
        this.child.off('exit', onExit);
        if (answer) resolve(answer);
        else
          reject(
            this.lost instanceof ProcessLost
              ? this.lost
              : new ProcessLost('the compiler is gone', { cause: this.lost }),
          );
      };
      const onExit = (): void => settle();
      this.child.on('message', settle);
      this.child.on('exit', onExit);
      if (!this.isUsable) return settle();
      this.child.send({ ...job, id }, (error) => error && settle());
    });
  }

  private watch(): void {
    if (residentBytes(this.child.pid) > this.limits.maxBytes) this.close('the compiler took too much memory');
  }

  private release(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

/** 0 where the system does not tell: there only the time is limited. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
      return 0;
    throw error;
  }
}
