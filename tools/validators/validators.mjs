// The validators of `npm run samples`: which files each reads, and the faults that it finds in them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const pom = 'tools/validators/pom.xml';

const run = (command, args, options) => spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28, ...options });

/** The jars by Maven, once; undefined where there is no Java or no Maven, or where it reaches no repository. */
export function javaClassPath(folder = 'dist/validators') {
  if (run('java', ['-version']).error || run('mvn', ['-version']).error) return undefined;
  mkdirSync(folder, { recursive: true });
  const wanted = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 16);
  const file = join(folder, `classpath-${wanted}.txt`);
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

/**
 * PDF files by veraPDF. Like `judgeEInvoices` it answers, of all files that are there, `[name of the validator, file, faults]` of each that is its to read.
 */
export function judgeSheets(classPath, files) {
  const sheets = files.filter((file) => file.endsWith('.pdf'));
  return [
    ['PDF/A-3a', '3a'],
    ['PDF/UA-1', 'ua1'],
  ].flatMap(([name, flavour]) => {
    const faultsOf = veraPdf(classPath, flavour, sheets);
    return sheets.map((file) => [name, file, faultsOf(file)]);
  });
}

/** veraPDF names each file and, with -v, every rule that it breaks. */
function veraPdf(classPath, flavour, files) {
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
  return (file) => faults.get(file) ?? [`not validated: ${tail(stderr)}`];
}

const tail = (text) => text.replace(/\s+/g, ' ').slice(-300);

/** Official rules by the ending of the files that they are for; where UBL has two roots, one set for invoices and one for credit notes. */
const officialRules = [
  ['.ubl.xml', 'EN 16931', 'eu.cen.en16931:ubl:1.3.16', 'eu.cen.en16931:ubl-creditnote:1.3.16'],
  ['.ubl.xml', 'Peppol BIS 3', 'eu.peppol.bis3:invoice:2026.5', 'eu.peppol.bis3:creditnote:2026.5'],
  ['.nlcius.xml', 'NLCIUS', 'org.simplerinvoicing:invoice:2.0.3-12', 'org.simplerinvoicing:creditnote:2.0.3-12'],
  ['.xrechnung.xml', 'XRechnung', 'de.xrechnung:ubl-invoice:3.0.2', 'de.xrechnung:ubl-creditnote:3.0.2'],
  ['.xrechnung-cii.xml', 'XRechnung', 'de.xrechnung:cii:3.0.2'],
  ['.cii.xml', 'EN 16931', 'eu.cen.en16931:cii:1.3.16'],
  ['.cii.xml', 'Factur-X', 'fr.factur-x:en16931:1.0.8'],
];

/** E-invoices by the official rules, all in one process: most of its time goes into compiling them. */
export function judgeEInvoices(classPath, files) {
  const asked = officialRules.flatMap(([reads, name, invoice, creditNote = invoice]) =>
    files
      .filter((file) => file.endsWith(reads))
      .map((file) => ({ name, file, rules: isCreditNote(file) ? creditNote : invoice })),
  );
  const { stdout, stderr, error } = run('java', ['-cp', classPath, 'tools/validators/ValidateEInvoices.java'], {
    input: asked.map(({ rules, file }) => `${rules}\t${file}\n`).join(''),
  });
  if (error) throw error;
  const faults = new Map();
  for (const line of stdout.split('\n').filter(Boolean)) {
    const [rules, file, fault] = line.split('\t');
    const found = faults.get(`${rules} ${file}`) ?? [];
    faults.set(`${rules} ${file}`, fault ? [...found, fault] : found);
  }
  // A file that it does not name it could not read.
  return asked.map(({ name, file, rules }) => [
    name,
    file,
    faults.get(`${rules} ${file}`) ?? [`not validated: ${tail(stderr)}`],
  ]);
}

/** The official schemas of audit files, by the ending of the files that they are for, with the SHA-256 of what the tax office publishes. */
const auditFileSchemas = [
  ['-3.2.xaf', 'XmlAuditfileFinancieel3.2.xsd', '6127b3f19db2c5bcff89385b5e35e5095e984d4ddaa1e5000f4e99494a8d0fff'],
  ['-4.0.xaf', 'XmlAuditfileFinancieel4.0.xsd', 'f1b30dd82b22e049996f3e9b515b5f75db34268656113411f22be8a9a453607c'],
];

/**
 * Audit files by the official schemas, from the folder that XAF_SCHEMAS names: they stand behind a registration at odb.belastingdienst.nl, so
 * they can be neither fetched nor kept here. Without the folder nothing is judged, and it says so.
 */
export function judgeAuditFiles(files, folder = process.env.XAF_SCHEMAS) {
  const audited = auditFileSchemas.flatMap(([ending, schema, sha256]) =>
    files.filter((file) => file.endsWith(ending)).map((file) => ({ file, schema: join(folder ?? '', schema), sha256 })),
  );
  if (folder === undefined) {
    console.log('audit files are not validated: XAF_SCHEMAS names no folder with the official schemas');
    return [];
  }
  const { stdout, stderr, error } = run('java', ['tools/validators/ValidateAuditFiles.java'], {
    input: audited.map(({ schema, file }) => `${schema}\t${file}\n`).join(''),
  });
  if (error) throw error;
  const told = stdout.split('\n').map((line) => line.split('\t'));
  return audited.map(({ file, schema, sha256 }) => {
    const own = told.filter(([, each]) => each === file);
    const faults = own.length === 0 ? [`not validated: ${tail(stderr)}`] : own.flatMap(([, , fault]) => fault ?? []);
    const isOfficial = createHash('sha256').update(readFileSync(schema)).digest('hex') === sha256;
    return [isOfficial ? 'XAF' : 'XAF (by a schema that is not the official file)', file, faults];
  });
}

const isCreditNote = (file) => /<CreditNote\b/.test(readFileSync(file, 'utf8').slice(0, 500));
