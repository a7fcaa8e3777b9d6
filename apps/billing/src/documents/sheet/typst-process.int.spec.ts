import { dutchInvoice } from '../testing/sample-invoices';
import { renderQueue } from './render-queue';
import { sheetView } from './sheet-view';
import { PROCESS_LIMITS, ProcessLost, type SheetJob, TypstProcess } from './typst-process';

const started: TypstProcess[] = [];
const start = (limits = PROCESS_LIMITS): TypstProcess => {
  const process = new TypstProcess(limits);
  started.push(process);
  return process;
};
afterEach(() => started.splice(0).forEach((process) => process.close()));

const jobOf = async (): Promise<SheetJob> => ({
  format: 'pdf',
  view: JSON.stringify(await sheetView({ invoice: dutchInvoice })),
  logo: null,
  files: [],
  createdAt: 1_800_000_000,
});

test('a process that is killed under a sheet loses that attempt; the queue sets the sheet in another one', async () => {
  const queue = renderQueue(() => start());
  const job = await jobOf();
  const asked = queue.render('a', job);
  const waiting = queue.render('b', job);
  process.kill(started[0]!.pid!, 'SIGKILL');
  expect((await asked).pages).toBe(1);
  expect((await waiting).pages).toBe(1);
  expect(started).toHaveLength(2);
  queue.close();
});

test('one that takes too long is ended', async () => {
  const process = start({ ...PROCESS_LIMITS, timeoutMs: 1 });
  await expect(process.set(await jobOf())).rejects.toThrow(ProcessLost);
  expect(process.isUsable).toBe(false);
});

test('one that has grown sets its sheet and is used no more', async () => {
  const process = start({ ...PROCESS_LIMITS, retireBytes: 1 });
  expect((await process.set(await jobOf())).pages).toBe(1);
  expect(process.isUsable).toBe(false);
});

test('one that takes too much memory is ended under its sheet', async () => {
  const process = start({ ...PROCESS_LIMITS, maxBytes: 1 });
  const job = await jobOf();
  const view = JSON.parse(job.view) as { lines: { rows: unknown[] } };
  view.lines.rows = Array.from({ length: 20_000 }, () => view.lines.rows[0]);
  await expect(process.set({ ...job, view: JSON.stringify(view) })).rejects.toThrow('too much memory');
});

test('what it cannot set is an error of that sheet only', async () => {
  const process = start();
  await expect(process.set({ ...(await jobOf()), view: '{}' })).rejects.toThrow('cannot be set');
  expect((await process.set(await jobOf())).pages).toBe(1);
});
