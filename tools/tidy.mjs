// `npm run check` calls it: the rules of docs/architecture.md that no other tool knows. Each rule is one function that answers its
// faults. Functions that the ratchet (tools/tidy.json) lists are known to be too long and may only get shorter; `--write` takes out what
// became short enough.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, dirname, join, normalize } from 'node:path';
import { builtinModules } from 'node:module';
import ts from 'typescript';
import correctness from './mutants/correctness.mjs';
import security from './mutants/security.mjs';

const MAX_FUNCTION_LINES = 70;
const ratchetFile = 'tools/tidy.json';
const ratchet = JSON.parse(readFileSync(ratchetFile, 'utf8'));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { maxBuffer: 1e8 })
  .toString()
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const isGenerated = (file) => file.startsWith('libs/contracts/src/') || file.includes('/generated/');
const isTest = (file) =>
  /\.(spec|bench|chaos|samples)\.ts$|\/(testing|conformance)\/|^apps\/e2e\/|^libs\/testing\//.test(file);
const code = tracked.filter((file) => /^(apps|libs)\/.*\.ts$/.test(file) && !isGenerated(file));
const parsed = new Map(
  code.map((file) => [file, ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true)]),
);
const aliases = Object.entries(
  ts.parseConfigFileTextToJson('', readFileSync('tsconfig.base.json', 'utf8')).config.compilerOptions.paths,
);
const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));
const declared = { ...packageJson.dependencies, ...packageJson.devDependencies };

/** [specifier, node] of every import and export-from of a file. */
const importsOf = (source) =>
  source.statements
    .filter((each) => (ts.isImportDeclaration(each) || ts.isExportDeclaration(each)) && each.moduleSpecifier)
    .map((each) => each.moduleSpecifier.text);

function fileOf(from, specifier) {
  const alias = aliases.find(([name]) => name === specifier);
  if (alias) return alias[1][0];
  if (!specifier.startsWith('.')) return undefined;
  const path = normalize(join(dirname(from), specifier));
  return [`${path}.ts`, `${path}/index.ts`, path].find((each) => parsed.has(each));
}

function undeclaredImports() {
  return [...parsed].flatMap(([file, source]) =>
    importsOf(source)
      .filter((specifier) => !/^(\.|node:|@invoicing\/)/.test(specifier))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !declared[name] || builtinModules.includes(name))
      .map((name) => `${file}: imports ${name}, which package.json does not declare`),
  );
}

/** Groups of files that reach each other by imports, types included (Tarjan). */
function importCircles() {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const next of importsOf(parsed.get(file))
      .map((each) => fileOf(file, each))
      .filter(Boolean)) {
      if (!parsed.has(next)) continue;
      if (!index.has(next)) {
        visit(next);
        low.set(file, Math.min(low.get(file), low.get(next)));
      } else if (stack.includes(next)) low.set(file, Math.min(low.get(file), index.get(next)));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) circles.push(group.sort().join(' '));
  };
  for (const file of parsed.keys()) if (!index.has(file)) visit(file);
  return circles.map((circle) => `import circle: ${circle}`);
}

const nameOf = (node) =>
  node.name?.getText() ??
  (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
    ? node.parent.name.getText()
    : 'anonymous');

/** file#function → lines, of functions over the limit. */
function longFunctions() {
  const found = {};
  for (const [file, source] of parsed) {
    if (isTest(file)) continue;
    const visit = (node) => {
      if (ts.isFunctionLike(node) && node.body) {
        const line = (position) => source.getLineAndCharacterOfPosition(position).line;
        const lines = line(node.end) - line(node.getStart()) + 1;
        if (lines > MAX_FUNCTION_LINES) found[`${file}#${nameOf(node)}`] = lines;
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function functionLength() {
  const faults = Object.entries(longFunctions())
    .filter(([place, lines]) => lines > (ratchet.longFunctions[place] ?? MAX_FUNCTION_LINES))
    .map(([place, lines]) => `${place}: ${lines} lines, at most ${ratchet.longFunctions[place] ?? MAX_FUNCTION_LINES}`);
  return faults;
}

// What a file does is in its suffix, and only files with the suffix do it.
const GRAMMAR = [
  [/\bbindService\(/, '-rpc.ts', 'serves gRPC'],
  [/\bnew (mongoose\.)?Schema\b/, '-store.ts', 'declares a collection'],
];
const FREE_NAMES = /(^|\/)(main|service|config|index|[a-z-]+\.main)\.ts$/;

function fileNames() {
  return code.flatMap((file) => {
    const faults = [];
    const name = basename(file);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(int|main))?(\.(spec|bench|chaos|samples))?\.ts$/.test(name))
      faults.push('is not kebab-case');
    if (/(^|-)(utils?|helpers?|common|misc)\b/.test(name)) faults.push('says nothing about what it holds');
    if (!isTest(file) && !FREE_NAMES.test(file) && /^apps\//.test(file))
      for (const [pattern, suffix, does] of GRAMMAR)
        if (!name.endsWith(suffix) && pattern.test(parsed.get(file).text))
          faults.push(`${does}, so its name ends with ${suffix}`);
    return faults.map((fault) => `${file}: ${fault}`);
  });
}

const isExported = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;
const hasDoc = (node) => ts.getJSDocCommentsAndTags(node).length > 0;

const isAsync = (node) => node?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
const isVerb = (node) => isAsync(node) || (ts.isVariableDeclaration(node) && isAsync(node.initializer));

/** Exported functions, types and classes of libs, and the verbs of features (their exported async functions), without a doc comment. */
function docComments() {
  const faults = [];
  for (const [file, source] of parsed) {
    if (isTest(file) || file.endsWith('/index.ts')) continue;
    const isLib = file.startsWith('libs/');
    for (const each of source.statements) {
      const declarations = ts.isVariableStatement(each)
        ? each.declarationList.declarations.filter((one) => one.initializer && ts.isFunctionLike(one.initializer))
        : [each];
      for (const one of declarations) {
        const counts = isLib
          ? ts.isFunctionDeclaration(one) ||
            ts.isVariableDeclaration(one) ||
            ts.isInterfaceDeclaration(one) ||
            ts.isTypeAliasDeclaration(one) ||
            ts.isClassDeclaration(one)
          : isVerb(one);
        if (counts && isExported(one) && !hasDoc(one) && !hasDoc(each))
          faults.push(`${file}: no doc comment at ${one.name?.getText()}`);
      }
    }
  }
  return faults;
}

/** Relative links of Markdown files, and paths of this repository in their text and in comments of the code. */
function links() {
  const faults = [];
  const known = new Set(tracked);
  const folders = new Set(
    tracked.flatMap((file) =>
      file
        .split('/')
        .slice(0, -1)
        .map((_, at, parts) => parts.slice(0, at + 1).join('/')),
    ),
  );
  const exists = (path) =>
    known.has(path) || folders.has(path.replace(/\/$/, '')) || /[*<{…]|^(dist|node_modules)\//.test(path);
  for (const file of tracked.filter((each) => each.endsWith('.md'))) {
    const text = readFileSync(file, 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:|#|\/)/.test(target)) continue;
      const path = normalize(join(dirname(file), target.split('#')[0]));
      if (!exists(path)) faults.push(`${file}: link to ${target}, which is not there`);
    }
    for (const [, path] of text.matchAll(/`((?:apps|libs|proto|tools|docs|deploy)\/[\w./-]+)`/g))
      if (!exists(path)) faults.push(`${file}: names ${path}, which is not there`);
  }
  for (const [file, source] of parsed)
    for (const [, path] of source.text.matchAll(/(?:\/\/|\*).*?\b((?:docs\/(?:decisions\/)?)?[\w-]+\.md)\b/g))
      if (!known.has(path) && !known.has(`docs/${path}`)) faults.push(`${file}: refers to ${path}, which is not there`);
  return faults;
}

/** The house's colours are tokens (docs/decisions/0022-one-house-style.md); paper and print are `white` and `black`. */
function colors() {
  return tracked
    .filter((file) => /^apps\/.*\.(ts|js|eta|css|typ)$/.test(file) && !isGenerated(file) && !isTest(file))
    .filter((file) => /#(?:[0-9a-f]{3}){1,2}\b/i.test(readFileSync(file, 'utf8')))
    .map((file) => `${file}: a colour that is no token of libs/design`);
}

/** A known-bad variant whose text is gone, or stands twice, changes nothing and would be noticed by nobody (tools/mutants.mjs). */
function knownBadVariants() {
  return [...security, ...correctness].flatMap(({ name, file, replace, spec }) => {
    const places = tracked.includes(file) ? readFileSync(file, 'utf8').split(replace).length - 1 : 0;
    return [
      ...(places === 1 ? [] : [`known-bad variant "${name}": its text stands ${places} times in ${file}`]),
      ...(tracked.includes(spec) ? [] : [`known-bad variant "${name}": its spec ${spec} is not there`]),
    ];
  });
}

if (process.argv.includes('--write')) {
  const before = ratchet.longFunctions;
  const known = Object.entries(longFunctions()).filter(([place]) => before[place] !== undefined);
  ratchet.longFunctions = Object.fromEntries(known.map(([place, lines]) => [place, Math.min(lines, before[place])]));
  writeFileSync(ratchetFile, `${JSON.stringify(ratchet, null, 2)}\n`);
}
const rules = [
  undeclaredImports,
  importCircles,
  functionLength,
  fileNames,
  docComments,
  links,
  colors,
  knownBadVariants,
];
const faults = rules.flatMap((rule) => rule());
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
