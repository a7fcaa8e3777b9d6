import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runWhole } from './nemesis/whole';

/** `npm run chaos [-- --seed N --seconds N --clients N]`: the whole platform under every kind of fault; the same seed is the same faults. */
export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      seconds: { type: 'string', default: '120' },
      clients: { type: 'string', default: '8' },
    },
  });
  const [seed, seconds, clients] = [values.seed, values.seconds, values.clients].map(Number) as [
    number,
    number,
    number,
  ];
  execFileSync('npx', ['nx', 'run-many', '-t', 'build', '--outputStyle=static'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const say = (line: string): void => console.log(line);
  say(`seed ${seed}, ${seconds} s, ${clients} clients; faults:`);
  const { isClean } = await runWhole({ seed, seconds, clients, say });
  say(`seed ${seed}: ${isClean ? 'every promise was kept' : 'PROMISES WERE BROKEN'}`);
  if (!isClean)
    throw new Error(`again with: npm run chaos -- --seed ${seed} --seconds ${seconds} --clients ${clients}`);
}
