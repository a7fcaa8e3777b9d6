import { Circuit } from './circuit';

const UNAVAILABLE = expect.objectContaining({ kind: 'unavailable' }) as unknown;

/** A circuit, what it asked so far, and how the last question is answered. */
function circuitOf() {
  const asked: ((answer: boolean) => void)[] = [];
  const circuit = new Circuit(() => new Promise((resolve) => asked.push(resolve)));
  return { circuit, asked };
}

test('a closed circuit asks nothing; an open one asks once for all, and refuses them while there is no answer', async () => {
  const { circuit, asked } = circuitOf();
  await circuit.pass();
  expect(asked).toHaveLength(0);
  circuit.gotNoAnswer();
  const refused = await Promise.allSettled(Array.from({ length: 20 }, () => circuit.pass()));
  expect(refused.map((each) => each.status === 'rejected' && (each.reason as unknown))).toEqual(
    Array(20).fill(UNAVAILABLE),
  );
  expect(asked).toHaveLength(1);
});

test('an answer in time lets through all who wait; a late one those who come afterwards', async () => {
  const { circuit, asked } = circuitOf();
  circuit.gotNoAnswer();
  const waiting = [circuit.pass(), circuit.pass()];
  asked[0]!(true);
  await Promise.all(waiting);
  expect(asked).toHaveLength(1);

  circuit.gotNoAnswer();
  await expect(circuit.pass()).rejects.toEqual(UNAVAILABLE);
  asked[1]!(true);
  await circuit.pass();
  expect(asked).toHaveLength(2);
});

test('after a probe that nobody answered the next caller asks again', async () => {
  const { circuit, asked } = circuitOf();
  circuit.gotNoAnswer();
  const first = circuit.pass();
  asked[0]!(false);
  await expect(first).rejects.toEqual(UNAVAILABLE);
  const second = circuit.pass();
  asked[1]!(true);
  await second;
});
