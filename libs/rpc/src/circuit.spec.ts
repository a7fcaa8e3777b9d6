import { setTimeout as sleep } from 'node:timers/promises';
import { Circuit } from './circuit';

test('a closed circuit asks nothing; an open one asks once for all, refuses while there is no answer, and closes', async () => {
  let answers = false;
  let probes = 0;
  const circuit = new Circuit(async () => {
    probes++;
    return answers;
  });
  await circuit.pass();
  expect(probes).toBe(0);
  circuit.gotNoAnswer();
  const refused = await Promise.allSettled(Array.from({ length: 20 }, () => circuit.pass()));
  expect(refused.every((each) => each.status === 'rejected' && each.reason.kind === 'unavailable')).toBe(true);
  expect(probes).toBe(1);
  answers = true;
  await sleep(600);
  await circuit.pass();
  await circuit.pass();
  expect(probes).toBe(2);
});
