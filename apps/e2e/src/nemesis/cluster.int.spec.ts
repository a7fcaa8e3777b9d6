import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { BUNDLES, startCluster } from './cluster';

jest.setTimeout(120_000);

test('two replicas of everything are ready, and operators find them', async () => {
  const t = Date.now();
  const cluster = await startCluster();
  console.log('ready', Date.now() - t);
  const out = execFileSync(
    process.execPath,
    [join(BUNDLES, 'admin/main.js'), 'org', 'create', '--name', 'x', '--mode', 'test', '--json'],
    { env: { ...process.env, DATA_DIR: cluster.dataDir } },
  );
  console.log(out.toString());
  await cluster.close();
});
