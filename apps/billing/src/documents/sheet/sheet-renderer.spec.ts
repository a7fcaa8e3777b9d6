import { dutchInvoice } from '../testing/sample-invoices';
import { sheetRenderer } from './sheet-renderer';
import type { SheetSource } from './sheet-source';
import type { SetSheet, SheetJob } from './typst-process';

/** A renderer whose queues answer when they are let; they are made in the order mail, page. */
function renderer() {
  const asked: { queue: number; job: SheetJob; answer: (sheet: SetSheet) => void; fail: (error: Error) => void }[] = [];
  let queues = 0;
  const made = sheetRenderer(() => {
    const queue = queues++;
    return {
      render: (_organizationId, job) => new Promise((answer, fail) => asked.push({ queue, job, answer, fail })),
      close: () => undefined,
    };
  });
  return { made, asked };
}

const source = (changes: Partial<SheetSource> = {}): SheetSource => ({ invoice: dutchInvoice, ...changes });
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const sheet = (text: string): SetSheet => ({ content: Buffer.from(text), pages: 1, cpuMs: 1 });

test('who asks for the same sheet at once shares it, and later has it from the cache', async () => {
  const { made, asked } = renderer();
  const both = [made.render(source(), 'svg', 'page'), made.render(source(), 'svg', 'page')];
  await settled();
  expect(asked).toHaveLength(1);
  asked[0]!.answer(sheet('one'));
  expect((await Promise.all(both)).map(String)).toEqual(['one', 'one']);
  expect(String(await made.render(source(), 'svg', 'mail'))).toBe('one');
  expect(asked).toHaveLength(1);
});

test('another state, another logo, another format is another sheet', async () => {
  const { made, asked } = renderer();
  const account = { openCents: 1, entries: [], today: '2026-12-01' };
  const withLogo = { ...dutchInvoice, style: { ...dutchInvoice.style, logo: Buffer.from('x') } };
  for (const each of [source(), source({ account }), source({ isTest: true }), source({ invoice: withLogo })])
    void made.render(each, 'svg', 'page').catch(() => undefined);
  void made.render(source(), 'pdf', 'page').catch(() => undefined);
  await settled();
  expect(asked).toHaveLength(5);
});

test('mail does not wait for a page that asked for the same sheet first', async () => {
  const { made, asked } = renderer();
  void made.render(source(), 'svg', 'page');
  const mailed = made.render(source(), 'svg', 'mail');
  await settled();
  expect(asked.map(({ queue }) => queue).sort()).toEqual([0, 1]);
  asked.find(({ queue }) => queue === 0)!.answer(sheet('mailed'));
  expect(String(await mailed)).toBe('mailed');
});

test('what failed is asked for again', async () => {
  const { made, asked } = renderer();
  const failing = made.render(source(), 'svg', 'page');
  await settled();
  asked[0]!.fail(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
  void made.render(source(), 'svg', 'page');
  await settled();
  expect(asked).toHaveLength(2);
});
