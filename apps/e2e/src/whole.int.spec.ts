import { FAULTS, scheduleOf } from './nemesis/schedule';
import { runWhole } from './nemesis/whole';

// `npm run chaos`, short: every kind of fault once, then the checker over all that was seen. What it says when it fails repeats its faults.

const SECONDS = 25;

jest.setTimeout(420_000 * Number(process.env['TIME_SCALE'] ?? 1));

test('every promise is kept under every kind of fault', async () => {
  const seed = 24;
  const kinds = scheduleOf(seed, SECONDS * 1_000, { replicas: ['r'], links: ['l'] }).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(FAULTS));
  const said: string[] = [];
  const { verdict } = await runWhole({ seed, seconds: SECONDS, clients: 4, say: (line) => void said.push(line) });
  const broken = Object.fromEntries(Object.entries(verdict).filter(([, faults]) => faults.length > 0));
  if (Object.keys(broken).length > 0) throw new Error(said.join('\n'));
});
