import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from '@invoicing/testing';
import { Api } from './api';
import { RunningPlatform } from './running-platform';

// A backup that was never restored is none: taken under load, put into an empty folder, proven by the numbers; and a store that is damaged says so.

jest.setTimeout(240_000 * Number(process.env['TIME_SCALE'] ?? 1));

interface Series {
  readonly series: readonly { readonly count: number; readonly gapless: boolean; readonly chainValid: boolean }[];
}
interface Verified {
  readonly valid: boolean;
  readonly documents: number;
  readonly damaged: readonly { readonly name: string; readonly errors: readonly string[] }[];
}

/** The operators' command line; answers what it printed and how it ended. */
async function admin<T>(dataDir: string, ...args: string[]): Promise<{ code: number; answer: T; stderr: string }> {
  const script = resolve(__dirname, '../../../dist/admin/main.js');
  const run = promisify(execFile)(process.execPath, [script, ...args, '--json'], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  const { code, stdout, stderr } = await run.then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code, stderr, answer: (stdout ? JSON.parse(stdout) : {}) as T };
}

test('backup while invoices are issued, restore elsewhere, and a flipped bit', async () => {
  const [backup, other] = [tempFolder(), tempFolder()];
  const env = { RATE_LIMIT_PER_MINUTE: '100000' };
  const platform = await RunningPlatform.start({ env });
  let restored: RunningPlatform | undefined;
  try {
    const org = await platform.admin<{ id: string }>('org', 'create', '--name', 'Bakkerij De Zon', '--mode', 'test');
    const { key } = await platform.admin<{ key: string }>('key', 'create', '--org', org.id, '--scopes', 'all');
    const api = new Api(platform.url, key);
    const customerId = (await api.post<{ data: { id: string } }>('/api/v1/customers', { name: 'Jan' })).body.data.id;
    let issued = 0;
    const issue = async (): Promise<void> => {
      const sent = { customerId, lines: [{ unitPriceCents: 100 }], send: true };
      if ((await api.post('/api/v1/invoices', sent)).status === 201) issued++;
    };
    await Promise.all(Array.from({ length: 8 }, issue));
    const before = issued;
    let isOver = false;
    const load = (async () => {
      while (!isOver) await Promise.all(Array.from({ length: 4 }, issue));
    })();
    const to = join(backup.path, 'today');
    const made = await admin<{ bytes: number; files: string[] }>(platform.dataDir, 'backup', '--to', to);
    expect(made).toMatchObject({ code: 0, answer: { to, files: expect.arrayContaining(['series-key.pem']) } });
    isOver = true;
    await load;
    expect((await admin(platform.dataDir, 'backup', '--to', to)).stderr).toMatch(/is not empty/);
    expect((await admin(platform.dataDir, 'restore', '--from', to)).stderr).toMatch(/stop it first/);
    expect(await admin<Verified>(platform.dataDir, 'store', 'verify')).toMatchObject({
      code: 0,
      answer: { valid: true, damaged: [] },
    });

    expect(await admin(other.path, 'restore', '--from', to)).toMatchObject({ code: 0, answer: { kept: null } });
    restored = await RunningPlatform.start({ dataDir: other.path, env });
    const { series } = await restored.admin<Series>('numbers', 'verify');
    expect(series).toMatchObject([{ gapless: true, chainValid: true }]);
    expect(series[0]!.count).toBeGreaterThanOrEqual(before);
    expect(series[0]!.count).toBeLessThanOrEqual(issued);
    expect((await new Api(restored.url, key).get('/api/v1/invoices')).status).toBe(200);
    await restored.stop();

    // One bit of a text in one document, as a disk flips it.
    const file = join(other.path, 'store', 'store.mdb');
    const bytes = readFileSync(file);
    const at = bytes.indexOf(Buffer.from('Bakkerij De Zon'));
    expect(at).toBeGreaterThan(0);
    for (let next = at; next >= 0; next = bytes.indexOf(Buffer.from('Bakkerij De Zon'), next + 1))
      bytes[next + 3]! ^= 1;
    writeFileSync(file, bytes);
    restored = await RunningPlatform.start({ dataDir: other.path, env });
    const damaged = await admin<Verified>(other.path, 'store', 'verify');
    expect(damaged).toMatchObject({ code: 1, answer: { valid: false } });
    expect(damaged.answer.damaged.map(({ name }) => name)).toContain('billing.organizations');
  } finally {
    await platform.close();
    await restored?.stop();
    for (const folder of [backup, other]) folder.remove();
  }
});
