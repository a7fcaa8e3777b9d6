import { shareInFlight } from './share-in-flight';
import { TaskPool } from './task-pool';
import { TurnsByKey } from './turns-by-key';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('share in flight', () => {
  test('who asks meanwhile gets the same answer, who asks later a new one', async () => {
    let calls = 0;
    const ask = shareInFlight(async (key) => (await tick(), `${key}${++calls}`));
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual(['a1', 'a1', 'b2']);
    expect(await ask('a')).toBe('a3');
  });

  test('a failure is shared and not kept', async () => {
    let fails = true;
    const ask = shareInFlight(() => (fails ? Promise.reject(new Error('unreachable')) : Promise.resolve('here')));
    const both = await Promise.allSettled([ask('a'), ask('a')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await ask('a')).toBe('here');
  });
});

describe('turns by key', () => {
  test('one after the other, in order, failures or not; keys side by side', async () => {
    const turns = new TurnsByKey();
    const seen: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        seen.push(`${name} begins`);
        await tick();
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const outcomes = await Promise.allSettled([
      turns.run('a', work('a1', true)),
      turns.run('a', work('a2')),
      turns.run('b', work('b1')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen.filter((each) => each.startsWith('a'))).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
    expect(seen.indexOf('b1 begins')).toBeLessThan(seen.indexOf('a1 ends'));
  });
});

describe('a pool of tasks', () => {
  test('takes so many at once, and knows when it is idle', async () => {
    const pool = new TaskPool(2);
    let running = 0;
    let most = 0;
    for (let index = 0; index < 7; index++) {
      await pool.room();
      most = Math.max(most, ++running);
      pool.add(tick().then(() => void running--));
    }
    await pool.idle();
    expect({ running, most }).toEqual({ running: 0, most: 2 });
  });

  test('what is added while it empties is waited for, too', async () => {
    const pool = new TaskPool();
    let ended = 0;
    const later = async (): Promise<void> => {
      await tick();
      if (++ended < 3) pool.add(later());
    };
    pool.add(later());
    await pool.idle();
    expect(ended).toBe(3);
  });
});
