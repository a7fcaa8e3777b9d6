import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { single, spreadOf, type BenchFigure, type Spread } from '@invoicing/testing';
import { sampleInvoice } from '../testing/sample-invoices';
import type { FrozenInvoice } from '../../invoices/invoice';
import { renderQueue } from './render-queue';
import { type SheetRenderer, sheetRenderer } from './sheet-renderer';
import { TypstProcess } from './typst-process';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const SIZES = [5, 30, 120, 500];
/** What a sheet of so many lines may cost. */
const CPU_MS: Partial<Record<number, number>> = { 5: 10, 500: 150 };
const SHEETS = Math.min(200, 20 * ROUNDS);

interface Measured {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly stallMs: number;
  readonly bytes: number;
}

/** Processor time (of all processes), wall time and the longest stall of the event loop a document; then what it costs in memory. */
export async function run(): Promise<readonly BenchFigure[]> {
  const figures: BenchFigure[] = [];
  const started: TypstProcess[] = [];
  const renderer = sheetRenderer(() => renderQueue(() => (started.push(new TypstProcess()), started.at(-1)!)));
  const cpuOf = (): number => ownCpuMs() + started.reduce((sum, { pid }) => sum + childCpuMs(pid), 0);
  const render = (invoice: FrozenInvoice): Promise<Uint8Array> => renderer.render({ invoice }, 'pdf', 'page');
  for (let warm = 0; warm < 5; warm++) await render(invoiceOf(5));
  for (const size of SIZES) {
    const rounds: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(render, cpuOf, size));
    figures.push(...figuresOf(size, rounds));
  }
  figures.push(...(await memory(renderer, started)));
  renderer.close();
  return figures;
}

/** Every document of a round is another one. */
function figuresOf(size: number, rounds: readonly Measured[]): BenchFigure[] {
  const of = (key: keyof Measured): Spread => spreadOf(rounds.map((each) => each[key]));
  const atMost = CPU_MS[size];
  return [
    {
      name: `sheet of ${size} lines, processor time`,
      unit: 'ms',
      ours: of('cpuMs'),
      ...(atMost && { aim: { of: 'value', atMost } }),
    },
    { name: `sheet of ${size} lines, wall time`, unit: 'ms', ours: of('wallMs') },
    { name: `sheet of ${size} lines, longest stall of the event loop`, unit: 'ms', ours: of('stallMs') },
  ];
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

/** Memory that a queue's process has of its own: fresh, after short and after long documents. */
async function memory(renderer: SheetRenderer, started: readonly TypstProcess[]): Promise<BenchFigure[]> {
  const after = async (name: string, count: number, size: number): Promise<BenchFigure> => {
    for (let each = 0; each < count; each++) await renderer.render({ invoice: invoiceOf(size) }, 'pdf', 'mail');
    const { pid } = started.findLast(({ isUsable }) => isUsable)!;
    return { name: `memory of the renderer, ${name}`, unit: 'MB', ours: single(ownMegabytes(pid)) };
  };
  return [
    await after('fresh', 1, 5),
    await after(`after ${SHEETS} of 5 lines`, SHEETS, 5),
    await after(`after ${SHEETS / 10} of 500 lines`, SHEETS / 10, 500),
  ];
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

const ownMegabytes = (pid: number | undefined): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1_024;
