// The validators of `npm run samples`, one entry each: which files it reads, and the faults that it finds in them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const pom = 'tools/validators/pom.xml';

const run = (command, args) => spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });

/** The jars by Maven, once; undefined where there is no Java or no Maven, or where it reaches no repository. */
export function javaClassPath(folder = 'dist/validators') {
  if (run('java', ['-version']).error || run('mvn', ['-version']).error) return undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'classpath.txt');
  const known =
    existsSync(file) &&
    readFileSync(file, 'utf8')
      .split(delimiter)
      .every((jar) => existsSync(jar));
  if (!known) {
    const { status, stdout, stderr } = run('mvn', [
      ...['-B', '-q', '-f', pom, 'dependency:build-classpath'],
      `-Dmdep.outputFile=${join(process.cwd(), file)}`,
    ]);
    if (status !== 0) {
      console.log(`Maven cannot fetch the validators: ${stdout.slice(-500)}${stderr.slice(-500)}`);
      return undefined;
    }
  }
  return readFileSync(file, 'utf8').trim();
}

/** veraPDF names each file and, with -v, every rule that it breaks. */
const veraPdf = (flavour) => (classPath, files) => {
  const { stdout, stderr, error } = run('java', [
    ...['-cp', classPath, 'org.verapdf.apps.GreenfieldCliWrapper'],
    ...['--flavour', flavour, '--format', 'text', '-v', ...files],
  ]);
  if (error) throw error;
  const faults = new Map();
  let current;
  for (const line of stdout.split('\n')) {
    const [, verdict, file] = /^(PASS|FAIL) (.+) \S+$/.exec(line) ?? [];
    if (verdict) faults.set((current = file), verdict === 'PASS' ? [] : ['not compliant']);
    else if (line.trim() && current) faults.get(current)?.push(line.trim());
  }
  // A file that it does not name it could not read.
  return (file) => [...faults].find(([name]) => name.endsWith(file))?.[1] ?? [`not validated: ${stderr.slice(-300)}`];
};

export const validators = [
  { name: 'PDF/A-3a', reads: '.pdf', validate: veraPdf('3a') },
  { name: 'PDF/UA-1', reads: '.pdf', validate: veraPdf('ua1') },
];
