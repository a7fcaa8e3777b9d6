// `node tools/write-code-cache.cjs FOLDER ARG…`: runs the program there once with these arguments, and keeps what V8 compiled by then for its
// next starts (tools/cached-start.cjs).
const { writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const [folder, ...args] = process.argv.slice(2);
const start = join(resolve(folder), 'main.js');
process.argv = [process.execPath, start, ...args];
process.stdout.write = () => true;
process.stderr.write = () => true;
const { script, cacheFile } = require(start);
process.on('exit', () => {
  writeFileSync(cacheFile, script.createCachedData());
  // A service stops at an environment that says nothing.
  process.exitCode = 0;
});
