import { renderQueue } from './render-queue';
import { ProcessLost, type SetSheet, type SheetJob } from './typst-process';

const job = (view: string): SheetJob => ({ format: 'pdf', view, logo: null, files: [], createdAt: 0 });
const sheet = (view: string): SetSheet => ({ content: Buffer.from(view), pages: 1, cpuMs: 0 });
const textOf = ({ content }: SetSheet): string => Buffer.from(content).toString();

/** Processes that set what they are asked, unless `fate` says otherwise. */
function queueOf(fate: (view: string, processNumber: number) => Error | undefined = () => undefined) {
  const set: string[] = [];
  const processes: { isUsable: boolean; close: () => void }[] = [];
  const made = renderQueue(() => {
    const number = processes.length;
    const process = {
      isUsable: true,
      close: () => (process.isUsable = false),
      set: async ({ view }: SheetJob) => {
        set.push(view);
        await new Promise(setImmediate);
        const error = fate(view, number);
        if (error instanceof ProcessLost) process.isUsable = false;
        if (error) throw error;
        return sheet(view);
      },
    };
    processes.push(process);
    return process;
  }, 5);
  return { made, set, processes };
}

test('one at a time, organisations by turns', async () => {
  const { made, set, processes } = queueOf();
  const asked = ['a1', 'a2', 'a3', 'b1'].map((view) => made.render(view[0]!, job(view)));
  expect((await Promise.all(asked)).map(textOf)).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect(set).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect(processes).toHaveLength(1);
});

test('a lost process costs the sheet in hand one attempt, and those that wait nothing', async () => {
  const { made, set, processes } = queueOf((view, number) =>
    view === 'a1' && number === 0 ? new ProcessLost('x') : undefined,
  );
  const asked = ['a1', 'b1', 'c1'].map((view) => made.render(view[0]!, job(view)));
  expect((await Promise.all(asked)).map(textOf)).toEqual(['a1', 'b1', 'c1']);
  expect(set).toEqual(['a1', 'a1', 'b1', 'c1']);
  expect(processes).toHaveLength(2);
});

test('a sheet that ends two processes is given up; the others are set', async () => {
  const { made } = queueOf((view) => (view === 'a1' ? new ProcessLost('x') : undefined));
  const [poison, other] = [made.render('a', job('a1')), made.render('b', job('b1'))];
  await expect(poison).rejects.toMatchObject({ kind: 'unavailable' });
  expect(textOf(await other)).toBe('b1');
});

test('a sheet that cannot be set fails at once, in a process that goes on', async () => {
  const { made, processes } = queueOf((view) => (view === 'a1' ? new Error('no such glyph') : undefined));
  await expect(made.render('a', job('a1'))).rejects.toThrow('no such glyph');
  expect(textOf(await made.render('a', job('a2')))).toBe('a2');
  expect(processes).toHaveLength(1);
});

test('an idle process is ended, and another one started when there is work', async () => {
  const { made, processes } = queueOf();
  await made.render('a', job('a1'));
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(processes[0]!.isUsable).toBe(false);
  await made.render('a', job('a2'));
  expect(processes).toHaveLength(2);
});

test('when it is closed, those that wait are told', async () => {
  const { made } = queueOf(() => new ProcessLost('x'));
  const asked = [made.render('a', job('a1')), made.render('a', job('a2'))];
  made.close();
  for (const each of await Promise.allSettled(asked)) expect(each.status).toBe('rejected');
  await expect(made.render('a', job('a3'))).rejects.toMatchObject({ kind: 'unavailable' });
});

test('of one organisation so many may wait, and there is room for another', async () => {
  const { made } = queueOf();
  const asked = Array.from({ length: 60 }, (_, each) => made.render('a', job(`a${each}`)));
  const other = made.render('b', job('b1'));
  const ended = await Promise.allSettled(asked);
  expect(ended.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(9);
  expect(textOf(await other)).toBe('b1');
});
