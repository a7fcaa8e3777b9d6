import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLogsShort } from './log-retention';

const DAY_MS = 86_400_000;

test('no line is older than thirty days, and what is written meanwhile is not lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'logs-'));
  const log = join(folder, 'billing.log');
  writeFileSync(`${log}.1`, 'before the last start');
  let now = 0;
  const logs = keepLogsShort(folder, () => now);
  expect(readdirSync(folder)).toEqual([]);
  const written = (): string[] => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  for (let day = 0; day < 100; day++) {
    now = day * DAY_MS;
    appendFileSync(log, `day ${day}\n`);
    logs.round();
    const days = written().join('').match(/\d+/g)!.map(Number);
    expect(Math.min(...days)).toBeGreaterThan(day - 31);
    expect(days).toContain(day);
    if (day > 15) expect(days).toContain(day - 14);
  }
  logs.close();
  rmSync(folder, { recursive: true });
});
