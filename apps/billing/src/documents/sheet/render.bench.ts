import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sampleInvoice } from '../testing/sample-invoices';
import type { FrozenInvoice } from '../../invoices/invoice';
import { renderQueue } from './render-queue';
import { type SheetRenderer, sheetRenderer } from './sheet-renderer';
import { TypstProcess } from './typst-process';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const SIZES = [5, 30, 120, 500];

interface Measured {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly stallMs: number;
  readonly bytes: number;
}

/** CPU time (of all processes), wall time and the longest stall of the event loop per document; then what it costs in memory. */
export async function run(): Promise<void> {
  const started: TypstProcess[] = [];
  const renderer = sheetRenderer(() => renderQueue(() => (started.push(new TypstProcess()), started.at(-1)!)));
  const cpuOf = (): number => ownCpuMs() + started.reduce((sum, { pid }) => sum + childCpuMs(pid), 0);
  const renderers = {
    typst: (invoice: FrozenInvoice) => renderer.render({ invoice }, 'pdf', 'page'),
  };
  for (const render of Object.values(renderers)) for (let warm = 0; warm < 5; warm++) await render(invoiceOf(5));

  console.log(`median of ${ROUNDS} rounds, in turn; every document is another one\n`);
  for (const size of SIZES) {
    const all = new Map(Object.keys(renderers).map((name) => [name, [] as Measured[]]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, render] of Object.entries(renderers)) all.get(name)!.push(await measure(render, cpuOf, size));
    for (const [name, measured] of all) {
      const of = (key: keyof Measured): number => median(measured.map((each) => each[key]));
      console.log(
        `${String(size).padStart(3)} lines  ${name.padEnd(6)}  cpu ${of('cpuMs').toFixed(1).padStart(6)} ms   wall ${of('wallMs').toFixed(1).padStart(6)} ms` +
          `   stall ${of('stallMs').toFixed(1).padStart(6)} ms   ${(of('bytes') / 1024).toFixed(0).padStart(5)} kB`,
      );
    }
  }
  await memory(renderer, started);
  renderer.close();
}

async function measure(
  render: (invoice: FrozenInvoice) => Promise<Uint8Array>,
  cpuOf: () => number,
  size: number,
): Promise<Measured> {
  const invoices = Array.from({ length: Math.max(1, Math.round(100 / size)) }, () => invoiceOf(size));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const [cpu, wall] = [cpuOf(), performance.now()];
  let bytes = 0;
  for (const invoice of invoices) bytes += (await render(invoice)).length;
  const [wallMs, cpuMs] = [performance.now() - wall, cpuOf() - cpu];
  delay.disable();
  const each = (sum: number): number => sum / invoices.length;
  return { cpuMs: each(cpuMs), wallMs: each(wallMs), stallMs: delay.max / 1e6, bytes: each(bytes) };
}

/** Memory of a queue's process: fresh, after short and after long documents. */
async function memory(renderer: SheetRenderer, started: readonly TypstProcess[]): Promise<void> {
  const show = (when: string): void => {
    const { pid } = started.findLast(({ isUsable }) => isUsable)!;
    console.log(`${when.padEnd(28)} ${memoryOf(pid, 'RssAnon')} MB of its own, ${memoryOf(pid, 'VmRSS')} MB resident`);
  };
  console.log('');
  await renderer.render({ invoice: invoiceOf(5) }, 'pdf', 'mail');
  show('a fresh process, 1 sheet');
  for (let each = 0; each < 200; each++) await renderer.render({ invoice: invoiceOf(5) }, 'pdf', 'mail');
  show('after 200 of 5 lines');
  for (let each = 0; each < 20; each++) await renderer.render({ invoice: invoiceOf(500) }, 'pdf', 'mail');
  show('after 20 of 500 lines');
}

let documents = 0;

function invoiceOf(size: number): FrozenInvoice {
  documents++;
  const lines = Array.from({ length: size }, (_, index) => ({
    description: `Levering ${documents}-${index + 1}, week ${1 + (index % 52)}${index % 9 === 4 ? ', inclusief voorbereiding, reistijd en nazorg op locatie bij de vestigingen in Utrecht en Zeist' : ''}`,
    quantity: String(1 + (index % 7) * 0.5),
    unitPriceCents: 4_500 + index * 137,
    vatTreatment: index % 5 === 3 ? ('reduced_9' as const) : ('standard_21' as const),
    unit: index % 2 ? 'uur' : '',
  }));
  return sampleInvoice(lines, { id: `bench-${documents}`, number: `2026-${String(documents).padStart(4, '0')}` });
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** All of its threads, from Linux's own books; 0 elsewhere. */
function childCpuMs(pid: number | undefined): number {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return 0;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(/^\d+/.exec(readFileSync(`${tasks}/${task}/schedstat`, 'latin1'))?.[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

const memoryOf = (pid: number | undefined, field: string): string => {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return (Number(kilobytes) / 1024).toFixed(0);
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
