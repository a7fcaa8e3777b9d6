import type { FrozenInvoice } from '../../invoices/invoice';
import { inTurn } from './render-in-turn';

const invoice = (id: string): FrozenInvoice => ({ id }) as FrozenInvoice;

/** Renders that end when told to. */
function heldRenders() {
  const running: { id: string; end: (error?: Error) => void }[] = [];
  const render = ({ id }: FrozenInvoice): Promise<Uint8Array> =>
    new Promise((resolve, reject) =>
      running.push({ id, end: (error) => (error ? reject(error) : resolve(Buffer.from(id))) }),
    );
  return { running, render };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one at a time, in order, and the same document once for all who ask', async () => {
  const { running, render } = heldRenders();
  const ask = inTurn(render);
  const answers = ['a', 'b', 'a', 'b', 'a'].map((id) => ask(invoice(id)));
  await settled();
  expect(running.map(({ id }) => id)).toEqual(['a']);
  running[0]!.end();
  await settled();
  expect(running.map(({ id }) => id)).toEqual(['a', 'b']);
  running[1]!.end();
  expect((await Promise.all(answers)).map(String)).toEqual(['a', 'b', 'a', 'b', 'a']);
  void ask(invoice('a'));
  await settled();
  expect(running).toHaveLength(3);
});

test('a failure is for those who asked for that document; too many are told so', async () => {
  const { running, render } = heldRenders();
  const ask = inTurn(render, 2);
  const first = ask(invoice('a'));
  const second = ask(invoice('b'));
  await expect(ask(invoice('c'))).rejects.toMatchObject({ kind: 'unavailable' });
  await settled();
  running[0]!.end(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await settled();
  running[1]!.end();
  expect(String(await second)).toBe('b');
});
