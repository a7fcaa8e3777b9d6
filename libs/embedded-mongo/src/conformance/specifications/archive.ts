import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * MongoDB's specification tests as PyMongo publishes them in its source distribution (Apache License 2.0). They are
 * fetched by the ordinary package client, pinned by version and by sha256, and never part of this repository.
 */
const pinned = {
  package: 'pymongo',
  version: '4.20.0',
  sha256: 'f773b0aec28687587cdeda490463a82debc4566a4a3620dcc8dada9d2c0a1acd',
};
const archiveName = `${pinned.package}-${pinned.version}.tar.gz`;

/** Folders below `test/` of the distribution: the name of a suite → where its files are. */
const suites = {
  crud: 'crud/unified',
  'retryable writes': 'retryable_writes/unified',
  'retryable reads': 'retryable_reads/unified',
  'collection management': 'collection_management',
  'index management': 'index_management',
  'command monitoring': 'command_monitoring',
  'run command': 'run_command/unified',
  sessions: 'sessions',
  'failover (discovery and monitoring)': 'discovery_and_monitoring/unified',
  'BSON corpus': 'bson_corpus',
} as const;

export type Suite = keyof typeof suites;

export const unifiedSuites = Object.keys(suites).filter((name) => name !== 'BSON corpus') as Suite[];

export interface SpecificationFiles {
  /** The texts of a suite's files by their names, in order. */
  of: (suite: Suite) => { name: string; text: string }[];
}

/** The files, fetched when they are not there yet; a sentence that says why they cannot be had. */
export function specificationFiles(cache = resolve('node_modules/.cache/specifications')): SpecificationFiles | string {
  const folder = join(cache, `${pinned.package}-${pinned.version}`);
  if (!existsSync(folder)) {
    const missing = fetchInto(cache, folder);
    if (missing) return missing;
  }
  return {
    of: (suite) => {
      const from = join(folder, 'test', suites[suite]);
      return readdirSync(from)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => ({ name: name.slice(0, -'.json'.length), text: readFileSync(join(from, name), 'utf8') }));
    },
  };
}

/** Downloads, checks and unpacks beside the folder, then moves it into place: two that do so at once do not disturb each other. */
function fetchInto(cache: string, folder: string): string | undefined {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'fetching-'));
  try {
    const requirements = join(work, 'requirements.txt');
    writeFileSync(requirements, `${pinned.package}==${pinned.version} --hash=sha256:${pinned.sha256}\n`);
    const options = [
      '--no-deps',
      '--no-binary',
      pinned.package,
      '--require-hashes',
      '-q',
      '-d',
      work,
      '-r',
      requirements,
    ];
    const failure =
      run('python3', ['-m', 'pip', 'download', ...options]) ??
      checksum(join(work, archiveName)) ??
      run('tar', ['-xzf', join(work, archiveName), '-C', work, `${pinned.package}-${pinned.version}/test`]);
    if (failure) return failure;
    if (!existsSync(folder)) renameSync(join(work, `${pinned.package}-${pinned.version}`), folder);
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(command: string, args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 });
  if (status === 0) return undefined;
  const last = stderr?.trim().split('\n').at(-1);
  return `${command} ${args.slice(0, 3).join(' ')}: ${error?.message ?? last ?? `status ${status}`}`;
}

function checksum(file: string): string | undefined {
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  return found === pinned.sha256 ? undefined : `${archiveName} has sha256 ${found}, not ${pinned.sha256}`;
}
